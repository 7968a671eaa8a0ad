/** Who may wait for the block of `X-Min-Block`. */
import { describe, expect, it } from 'vitest'
import type { ClientNetworks } from '../../api/limits/client-address.ts'
import {
  createWaitingRoom,
  WAITING_ANONYMOUS_MAX,
  WAITING_MAX,
  WAITING_PER_CLIENT_MAX,
} from '../../api/limits/min-block.ts'

const client = (number: number): ClientNetworks => [{ name: `client ${number}`, times: 1 }]

/** Waits as often as a client may, and at most `max` times. */
function fill(admit: ReturnType<typeof createWaitingRoom>, networks: ClientNetworks, isAnonymous = false) {
  let admitted = 0
  while (admitted <= WAITING_MAX && admit(networks, isAnonymous)) admitted += 1
  return admitted
}

describe('requests that wait for a block', () => {
  it('are at most as many of one client address as the limit, until one leaves', () => {
    const admit = createWaitingRoom()
    const leave = admit(client(1), false)
    expect(fill(admit, client(1))).toBe(WAITING_PER_CLIENT_MAX - 1)
    expect(admit(client(2), false)).toBeDefined()
    leave?.()
    expect(fill(admit, client(1))).toBe(1)
  })

  it('are at most a multiple of it of a wider network', () => {
    const admit = createWaitingRoom()
    const of = (number: number): ClientNetworks => [...client(number), { name: 'wide', times: 2 }]
    expect([fill(admit, of(1)), fill(admit, of(2)), fill(admit, of(3))]).toEqual([
      WAITING_PER_CLIENT_MAX,
      WAITING_PER_CLIENT_MAX,
      0,
    ])
  })

  it('are at most 500 without a token, and 1,000 in all', () => {
    const admit = createWaitingRoom()
    const clients = Array.from({ length: 20 }, (_, i) => client(i))
    const sum = (isAnonymous: boolean) =>
      clients.reduce((waiting, one) => waiting + fill(admit, one, isAnonymous), 0)
    expect(sum(true)).toBe(WAITING_ANONYMOUS_MAX)
    expect(sum(false)).toBe(WAITING_MAX - WAITING_ANONYMOUS_MAX)
  })
})
