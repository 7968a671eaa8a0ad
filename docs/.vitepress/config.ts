/** The site of docs/. A link to a page that does not exist fails the build. */
import { defineConfig } from 'vitepress'

const section = (text: string, pages: Record<string, string>) => ({
  text,
  items: Object.entries(pages).map(([name, link]) => ({ text: name, link })),
})

export default defineConfig({
  title: 'Claim financing gateway',
  description: 'Read the market of claims, and prepare what a wallet signs',
  cleanUrls: true,
  cacheDir: '../.cache/vitepress',
  outDir: '../.cache/docs',
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      section('Quickstarts', {
        Frontend: '/quickstart/frontend',
        Wallet: '/quickstart/wallet',
        Analyst: '/quickstart/analyst',
        Issuer: '/quickstart/issuer',
        Lender: '/quickstart/lender',
        Curator: '/quickstart/curator',
        Operator: '/quickstart/operator',
      }),
      section('Guides', {
        Explorer: '/explorer',
        Reads: '/reading',
        SQL: '/analyst-sql',
        Snapshots: '/snapshots',
        Signing: '/signing',
        Cookies: '/cookies',
      }),
      section('Reference', {
        'REST routes': '/rest',
        Client: '/reference/client/',
        'React hooks': '/reference/react/',
        Errors: '/errors',
        Limits: '/limits',
        Settings: '/settings',
        Names: '/naming',
        Versions: '/versioning',
      }),
      section('Operation', {
        Running: '/running',
        Operations: '/operations',
        Scaling: '/scaling',
        Deploying: '/deploying',
        Security: '/security',
      }),
      section('Decisions', {
        Protocol: '/decisions/protocol',
        Reads: '/decisions/reads',
        Routing: '/decisions/routing',
        Operation: '/decisions/operation',
      }),
    ],
  },
})
