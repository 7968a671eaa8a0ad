/** Clients that connect to the gateways themselves, and use the other one when an answer ends their connection. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Gateways, STOPS, startGateways, stopUnderLoad } from './stops.ts'

let gateways: Gateways
beforeAll(async () => {
  gateways = await startGateways()
})
afterAll(() => gateways?.stop())

it('loses no request of 50 clients when gateways are stopped in turn', async () => {
  const urls = gateways.ports.map((port) => `http://127.0.0.1:${port}`)
  const { announced, faults } = await stopUnderLoad(gateways, urls)
  expect(faults).toEqual([])
  expect(announced).toBeGreaterThanOrEqual(STOPS)
})
