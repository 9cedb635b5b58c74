import { randomBytes } from 'node:crypto'
import { defineGlobalSharedKey, type Json, type SharedStore } from '../shared/index.ts'

const secondsDefault = 60
const entryKey = defineGlobalSharedKey('ticket', 'an address without a session is read by a number nobody guesses')

/**
 * Tickets for what a browser opens by address alone, such as a download: worth one use, soon, for one purpose.
 * They spare the session's token from standing in addresses, histories and logs.
 */
export function createOneTimeTickets(shared: SharedStore) {
  return {
    async issue(purpose: string, grant: Json, seconds = secondsDefault): Promise<string> {
      const ticket = randomBytes(24).toString('base64url')
      await shared.put(entryKey(ticket), { purpose, grant }, seconds)
      return ticket
    },
    /** What the ticket was issued for; undefined when it is spent, late, invented or for another purpose. */
    async redeem(purpose: string, ticket: string): Promise<Json | undefined> {
      if (!/^[\w-]{32}$/.test(ticket)) return undefined
      const entry = (await shared.take(entryKey(ticket))) as { purpose: string; grant: Json } | undefined
      return entry?.purpose === purpose ? entry.grant : undefined
    },
  }
}

export type OneTimeTickets = ReturnType<typeof createOneTimeTickets>
