import { createHmac } from 'node:crypto'
import type { CustomFetchOptions } from 'openid-client'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

/** `denied`: the other service refused the sign-in. `unavailable`: it gave no valid answer. */
export type SocialSignInFault = { kind: 'denied' | 'unavailable'; code: string; message: string }

class VendorFault extends Error {
  readonly fault: SocialSignInFault
  constructor(fault: SocialSignInFault) {
    super(`${fault.code}: ${fault.message}`)
    this.fault = fault
  }
}

/** Returns the error for a sign-in the other service refused, with its code. */
export const createSignInDeniedError = (code: unknown, message: unknown): Error =>
  new VendorFault({ kind: 'denied', code: String(code).slice(0, 100), message: String(message ?? '').slice(0, 300) })

type Request = {
  query?: Record<string, string>
  form?: Record<string, string>
  json?: Record<string, unknown>
  headers?: Record<string, string>
}

export type JsonObject = Record<string, any>
export type SocialHttpClient = ReturnType<typeof createSocialHttpClient>

const timeoutMsDefault = 8_000
const answerBytesMax = 1_000_000
/** Gitee and GitHub refuse callers without a name. */
const ownHeaders = { accept: 'application/json', 'user-agent': 'store-office' }

export function createSocialHttpClient(timeoutMs = timeoutMsDefault) {
  /** Sends a request and reads a JSON object of limited size in limited time. Redirects are not followed. */
  async function send(target: URL, init: RequestInit): Promise<{ status: number; parsed: JsonObject }> {
    try {
      const response = await fetch(target, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
      if (response.status >= 500) throw new Error(`HTTP ${response.status}`)
      const parsed: unknown = parseUntrustedJson(await limitedText(response))
      if (typeof parsed !== 'object' || parsed === null) throw new Error('The answer is no object')
      return { status: response.status, parsed }
    } catch (err) {
      throw new VendorFault({
        kind: 'unavailable',
        code: (err as Error).name,
        message: `${target.host}: ${(err as Error).message}`,
      })
    }
  }

  return {
    /** Requests a JSON object, whatever the HTTP status; the caller reads refusals from it. */
    async json(url: string, { query = {}, form, json, headers = {} }: Request = {}): Promise<JsonObject> {
      const target = new URL(url)
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
      const body = form ? new URLSearchParams(form) : json ? JSON.stringify(json) : undefined
      const { parsed } = await send(target, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...ownHeaders, ...(json && { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body }),
      })
      return parsed
    },
    /** Is `fetch` for a library, within the same limits. */
    fetchJson: async (url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
      const { status, parsed } = await send(new URL(url), {
        method,
        headers: { ...headers, ...ownHeaders },
        // The library types bodies more widely than `fetch` does.
        ...(body ? { body: body as BodyInit } : {}),
      })
      return Response.json(parsed, { status })
    },
    /** Derives a secret from the state, so that nothing has to be stored while the browser is away. */
    proofOf: (secret: string, state: string) =>
      createHmac('sha256', secret).update(`sign-in ${state}`).digest('base64url'),
    faultOf: (err: unknown): SocialSignInFault | undefined => (err instanceof VendorFault ? err.fault : undefined),
  }
}

/** Reads a body, and no further than its greatest length. */
async function limitedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > answerBytesMax) throw new Error('The answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Returns the URL with these query parameters and fragment. */
export function urlWithParameters(url: string, parameters: Record<string, string>, hash = ''): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value)
  return target.href + hash
}

/** Converts a vendor's value to text; '' for null and undefined. */
export const textOrEmpty = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
