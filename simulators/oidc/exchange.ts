import type { IncomingMessage } from 'node:http'

/** Client credentials that every simulated service accepts. */
export const simulatedClient = { clientId: 'store-office', clientSecret: 'store-office-secret', agentId: '1000002' }

/** How the next server-to-server calls fail. */
export type Failure = 'none' | 'invalid_grant' | 'timeout' | 'server_error' | 'no_json' | 'wrong_key' | 'wrong_nonce'

export type Exchange = {
  url: URL
  method: string
  headers: IncomingMessage['headers']
  /** Query, form and JSON body merged. */
  values: Record<string, string>
  failure: Failure
}
export type Reply = { status?: number; body?: unknown; html?: string; location?: string }
export type Route = (exchange: Exchange) => Reply | Promise<Reply>
