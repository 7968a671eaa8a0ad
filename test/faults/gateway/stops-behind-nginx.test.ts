/**
 * Clients of nginx, which knows nothing of readiness: it goes on sending requests to a gateway until that refuses a
 * connection.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNginx } from '../../support/nginx.ts'
import { type Gateways, startGateways, stopUnderLoad } from './stops.ts'

let gateways: Gateways
let nginx: Awaited<ReturnType<typeof startNginx>>
beforeAll(async () => {
  gateways = await startGateways()
  nginx = await startNginx(gateways.ports)
})
afterAll(async () => {
  await nginx?.stop()
  await gateways?.stop()
})

it('loses no request of 50 clients of nginx when the gateways behind it are stopped in turn', async () => {
  const { faults } = await stopUnderLoad(gateways, [nginx.url])
  const complaints = nginx.complaints()
  const resets = complaints.split('Connection reset by peer').length - 1
  console.log(`${resets} connections of nginx were reset`)
  expect(faults, complaints).toEqual([])
})
