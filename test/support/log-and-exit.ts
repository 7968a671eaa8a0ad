/**
 * Writes as many lines to the log of a gateway, half of them in an earlier turn of the event loop, and exits at once,
 * or is killed.
 */
import { setImmediate } from 'node:timers/promises'
import { createLog } from '../../api/http/log.ts'

const lines = Number(process.argv[2])
const isKilled = process.argv[3] === 'killed'
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
if (isKilled) process.kill(process.pid, 'SIGKILL')
process.exit()
