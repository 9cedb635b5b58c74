import type { IncomingMessage } from 'node:http'

/** A client every simulated service knows. */
export const simulatedClient = { clientId: 'store-office', clientSecret: 'store-office-secret', agentId: '1000002' }

/** How the next calls between servers go wrong. */
export type Failure = 'none' | 'invalid_grant' | 'timeout' | 'server_error' | 'no_json' | 'wrong_key' | 'wrong_nonce'

export type Exchange = {
  url: URL
  method: string
  headers: IncomingMessage['headers']
  /** Query, form and JSON body together. */
  values: Record<string, string>
  failure: Failure
}
export type Reply = { status?: number; body?: unknown; html?: string; location?: string }
export type Route = (exchange: Exchange) => Reply | Promise<Reply>
