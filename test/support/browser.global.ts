import chromium from '@sparticuz/chromium'

/** Unpacks Chromium before any test starts it: a file that another test still writes cannot be executed. */
export default async function setup(): Promise<void> {
  await chromium.executablePath()
}
