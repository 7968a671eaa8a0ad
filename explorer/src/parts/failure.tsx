/** An error with its cause and its remedy. */
import { GatewayError } from 'claim-financing-client'
import { gatewayUrl } from '../config.ts'

/** @param retry shown as a button if the same request may succeed */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const code = error instanceof GatewayError ? error.code : undefined
  const isOfGateway = error instanceof GatewayError && error.status !== undefined
  return (
    <div className="failure" role="alert">
      <p>{error.message}</p>
      {error instanceof GatewayError && error.errors.length > 1
        ? error.errors.map(({ path, message }) => (
            <p key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </p>
          ))
        : null}
      {code ? (
        <p>
          {isOfGateway ? (
            <a href={`${gatewayUrl}/docs/errors/${code}`} target="_blank" rel="noreferrer">
              {code}: cause and remedy
            </a>
          ) : (
            <code>{code}</code>
          )}
        </p>
      ) : null}
      {retry ? (
        <button type="button" onClick={retry}>
          Try again
        </button>
      ) : null}
    </div>
  )
}
