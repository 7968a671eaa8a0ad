/**
 * Where a body can be left out, an empty one is none: clients that set the same headers for all requests send no byte
 * with a JSON type.
 */
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { bearer, signIn } from '../support/sign-in.ts'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

const described = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ requestBody: z.object({ required: z.boolean().optional() }).optional() }),
    ),
  ),
})

let gateway: ReadGateway
let paths: string[]
beforeAll(async () => {
  gateway = await startReadGateway()
  const document = described.parse(await (await gateway.get('/openapi.json')).json())
  paths = Object.entries(document.paths).flatMap(([path, { post }]) =>
    post?.requestBody && !post.requestBody.required ? [path] : [],
  )
})
afterAll(() => gateway.stop())

async function post(path: string, headers: HeadersInit, body?: string) {
  const [claimId] = sharedWorld().claimIds
  const target = path.replace('{claimId}', `${claimId}`).replace('{routeId}', `0x${'ab'.repeat(32)}`)
  const init = { method: 'POST', headers, ...(body !== undefined && { body }) }
  const response = await gateway.app.request(target, init)
  const { code, detail } = await response.json()
  return { status: response.status, code, detail }
}

it('is answered as a request without a body, and as one with an empty object', async () => {
  const token = await signIn(gateway.app, privateKeyToAccount(sharedAccount('wallet-1').privateKey))
  const { headers } = bearer(token)
  expect(paths.length).toBeGreaterThan(2)
  for (const path of paths) {
    const none = await post(path, headers)
    expect([path, none.status]).not.toEqual([path, 400])
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      const typed = { ...Object.fromEntries(new Headers(headers)), 'Content-Type': type }
      for (const body of [undefined, '', '{}'])
        expect([path, await post(path, typed, body)]).toEqual([path, none])
      expect([path, (await post(path, typed, '{')).status]).toEqual([path, 400])
      expect([path, (await post(path, typed, ' ')).status]).toEqual([path, 400])
    }
  }
})
