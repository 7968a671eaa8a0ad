/** Claims by state, token and issuer, a page at a time. */
import { keepPreviousData } from '@tanstack/react-query'
import type { Input } from 'claim-financing-client'
import { useRead } from 'claim-financing-react'
import { Loaded, Page } from '../parts/page.tsx'
import { Name, words } from '../parts/values.tsx'
import { isAddress } from '../place/hex.ts'
import { linkTo, replaceParams } from '../place/place.ts'
import { ClaimTable } from './claim-table.tsx'
import { CLAIMS } from './documents.ts'

const STATES = ['ELIGIBLE', 'PARTIALLY_FUNDED', 'FULLY_FUNDED', 'SETTLED', 'CLOSED', 'REVOKED'] as const
const ORDERS = [
  ['registeredAt', 'desc', 'newest first'],
  ['dueDate', 'asc', 'due first'],
  ['faceValue', 'desc', 'largest first'],
] as const

export function Claims({ params }: { params: URLSearchParams }) {
  const [orderBy, orderDirection] = ORDERS.find(([name]) => name === params.get('order')) ?? ORDERS[0]
  const after = params.get('after')
  // The filters stay where they are, and each row has its own token.
  const read = useRead(
    CLAIMS,
    { filter: filterOf(params), after, orderBy, orderDirection },
    { placeholderData: keepPreviousData },
  )
  return (
    <Page
      title="Claims"
      actions={
        <a className="action" href={linkTo(['register'])}>
          Register a claim
        </a>
      }
    >
      <Loaded read={read}>
        {({ claims, tokens }) => (
          <>
            <div className="filters">
              <Choice
                name="state"
                label="State"
                params={params}
                options={STATES.map((state) => [state, words(state)])}
              />
              <Choice
                name="token"
                label="Token"
                params={params}
                options={tokens.nodes.map(({ address, symbol }) => [address, symbol])}
              />
              <Choice
                name="order"
                label="Order"
                params={params}
                any={ORDERS[0][2]}
                options={ORDERS.slice(1).map(([name, , text]) => [name, text])}
              />
              {params.get('issuer') ? (
                <button type="button" onClick={() => replaceParams({ issuer: undefined, after: undefined })}>
                  Issuer <Name text={params.get('issuer') ?? ''} /> ✕
                </button>
              ) : null}
            </div>
            <div className={read.isPlaceholderData ? 'former' : ''} aria-busy={read.isPlaceholderData}>
              <ClaimTable claims={claims.nodes} />
            </div>
            <p className="pages">
              {after ? (
                <a href={linkTo(['claims'], { ...Object.fromEntries(params), after: undefined })}>
                  First page
                </a>
              ) : null}{' '}
              {claims.pageInfo.hasNextPage && claims.pageInfo.endCursor ? (
                <a
                  href={linkTo(['claims'], {
                    ...Object.fromEntries(params),
                    after: claims.pageInfo.endCursor,
                  })}
                >
                  Next page
                </a>
              ) : null}
            </p>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function filterOf(params: URLSearchParams): Input<'ClaimFilter'> {
  const state = STATES.find((known) => known === params.get('state'))
  const [token, issuer] = [params.get('token'), params.get('issuer')]
  return {
    ...(state && { state }),
    ...(isAddress(token) && { token }),
    ...(isAddress(issuer) && { issuer }),
  }
}

function Choice({
  name,
  label,
  params,
  options,
  any = 'all',
}: {
  name: string
  label: string
  params: URLSearchParams
  options: readonly (readonly [value: string, text: string])[]
  any?: string
}) {
  const change = (value: string) => replaceParams({ [name]: value || undefined, after: undefined })
  return (
    <label className="select">
      {label}{' '}
      <select value={params.get(name) ?? ''} onChange={({ target }) => change(target.value)}>
        <option value="">{any}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
