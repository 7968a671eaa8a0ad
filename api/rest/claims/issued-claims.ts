import { requireSession } from '../../http/authenticate.ts'
import { asOfVariable } from '../shared/as-of.ts'
import { PAGE_INFO, presentPage, type SelectedPage } from '../shared/pagination.ts'
import { answerRead, createDocumentReader, type ReadDeps } from '../shared/read.ts'
import { createRouter } from '../shared/router.ts'
import { CLAIM, presentClaim, type SelectedClaim } from './claims.ts'
import { listIssuedClaims } from './issued-claims.routes.ts'

const readIssued = createDocumentReader<{ claims: SelectedPage<SelectedClaim> }>(`
  query ($issuer: Address!, $limit: Int!, $cursor: String, $asOf: AsOf) {
    claims(filter: { issuer: $issuer }, first: $limit, after: $cursor, asOf: $asOf) { nodes { ${CLAIM} } ${PAGE_INFO} }
  }`)

export function issuedClaims(deps: ReadDeps) {
  return createRouter().openapi(listIssuedClaims, (c) => {
    const { wallet } = requireSession(c)
    const query = c.req.valid('query')
    return answerRead(
      c,
      deps,
      (reader) => readIssued(reader, { issuer: wallet, ...query, asOf: asOfVariable(query) }),
      ({ claims }) => presentPage(claims, presentClaim),
    )
  })
}
