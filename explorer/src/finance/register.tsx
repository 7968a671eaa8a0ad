/** Registers a claim from the attestation that its issuer has signed. */
import { type RegisterInput, useRegister } from 'claim-financing-react'
import { useState } from 'react'
import { Page } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { SignedIn } from '../parts/signed-in.tsx'

export default function Register() {
  return (
    <Page title="Register a claim">
      <p>
        The issuer of an invoice signs an attestation. Paste it here as the JSON{' '}
        <code>{'{ attestation, signature }'}</code> that the issuer has sent to you. Anyone can register it;
        the claim belongs to its beneficiary.
      </p>
      <SignedIn to="register a claim">{() => <Form />}</SignedIn>
    </Page>
  )
}

function Form() {
  const register = useRegister()
  const [text, setText] = useState('')
  const body = bodyOf(text)
  return (
    <form action={() => body && register.mutate(body)}>
      <label className="field">
        Attestation and signature
        <textarea
          rows={12}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      {text !== '' && !body ? (
        <small className="fault">This is not a JSON object with the members attestation and signature.</small>
      ) : null}
      <p>
        <button type="submit" disabled={!body || register.isPending}>
          Register
        </button>
      </p>
      <Progress running={register} />
    </form>
  )
}

/** The gateway checks each member; here only the shape counts. */
function bodyOf(text: string): RegisterInput | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isBody(body) ? body : undefined
  } catch {
    return undefined
  }
}

function isBody(body: unknown): body is RegisterInput {
  return typeof body === 'object' && body !== null && 'attestation' in body && 'signature' in body
}
