import { requireSession } from '../../http/authenticate.ts'
import { PAGE_INFO, presentPage, type SelectedPage } from '../shared/pagination.ts'
import { answerRead, createDocumentReader, type ReadDeps } from '../shared/read.ts'
import { createRouter } from '../shared/router.ts'
import { CLAIM, presentClaim, type SelectedClaim } from './claims.ts'
import { listIssuedClaims } from './issued-claims.routes.ts'

const readIssued = createDocumentReader<{ claims: SelectedPage<SelectedClaim> }>(`
  query ($issuer: Address!, $limit: Int!, $cursor: String) {
    claims(filter: { issuer: $issuer }, first: $limit, after: $cursor) { nodes { ${CLAIM} } ${PAGE_INFO} }
  }`)

export function issuedClaims(deps: ReadDeps) {
  return createRouter().openapi(listIssuedClaims, (c) => {
    const { wallet } = requireSession(c)
    return answerRead(
      c,
      deps,
      (reader) => readIssued(reader, { issuer: wallet, ...c.req.valid('query') }),
      ({ claims }) => presentPage(claims, presentClaim),
    )
  })
}
