/** Writes as many lines to the log of a gateway, half of them in an earlier turn of the event loop, and exits at once. */
import { setImmediate } from 'node:timers/promises'
import { createLog } from '../../api/middleware/log.ts'

const lines = Number(process.argv[2])
const log = createLog({
  logLevel: 'info',
  databaseUrl: 'postgres://gateway:gateway@127.0.0.1/gateway',
  rpcUrls: [],
  authSecrets: [],
})
for (let n = 0; n < lines; n++) {
  if (n === lines / 2) await setImmediate()
  log.info({ n }, 'a line')
}
process.exit()
