/** The site of docs/. A link to a page that does not exist fails the build. */
import { defineConfig } from 'vitepress'

const QUICKSTARTS = ['frontend', 'wallet', 'analyst', 'issuer', 'operator']

export default defineConfig({
  title: 'Claim financing gateway',
  description: 'Read the market of claims, and prepare what a wallet signs',
  cleanUrls: true,
  cacheDir: '../.cache/vitepress',
  outDir: '../.cache/docs',
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      {
        text: 'Quickstart',
        items: QUICKSTARTS.map((role) => ({ text: role, link: `/quickstart/${role}` })),
      },
      {
        text: 'Reference',
        items: [
          { text: 'Errors', link: '/errors' },
          { text: 'Names', link: '/naming' },
          { text: 'Cookies', link: '/cookies' },
          { text: 'Versions', link: '/versioning' },
        ],
      },
      {
        text: 'Operation',
        items: [
          { text: 'Running', link: '/running' },
          { text: 'Operations', link: '/operations' },
          { text: 'Scaling', link: '/scaling' },
          { text: 'Deploying', link: '/deploying' },
          { text: 'Security', link: '/security' },
        ],
      },
    ],
  },
})
