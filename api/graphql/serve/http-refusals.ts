/**
 * Gives codes of the catalogue to requests that Yoga refuses outside GraphQL, without a body or as an internal error.
 */
import type { Plugin } from 'graphql-yoga'
import { CodedError, validationFailed } from '../../errors.ts'
import { toGraphqlError } from '../kit/errors.ts'

/**
 * In a query string and in a form `variables` and `extensions` are JSON in text. Yoga reports text that is none as a
 * bug.
 */
export function useParameterErrors(): Plugin {
  return {
    onRequestParse({ requestParser, setRequestParser }) {
      if (!requestParser) return
      setRequestParser(async (request) => {
        try {
          return await requestParser(request)
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error
          const refusal = validationFailed([{ path: 'variables', message: NO_JSON }])
          throw toGraphqlError(refusal, { status: 400 })
        }
      })
    },
  }
}

const NO_JSON = 'this or `extensions` is no JSON; send each as the text of a JSON object'

/** @throws CodedError instead of a refusal of HTTP that has no body */
export function requireBody(response: Response): Response {
  if (response.status === 415) {
    throw new CodedError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  }
  if (response.status === 406) {
    const message = 'must allow application/json, application/graphql-response+json or text/event-stream'
    throw validationFailed([{ path: 'Accept', message }])
  }
  return response
}
