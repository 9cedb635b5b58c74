import { wireYuanToCents } from '#kit/fields/money/cents.ts'
import { Refused } from '#kit/server/base/refused.ts'

/** A profit-share receiver, as WeChat Pay names it. */
type Receiver = { type: 'MERCHANT_ID' | 'PERSONAL_OPENID'; account: string; name: string }
export type ReceiverShare = Receiver & { amount: number; description: string }

const TYPES = ['MERCHANT_ID', 'PERSONAL_OPENID'] as const
const MAX = 50

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

function receiverOf(given: unknown, n: number): Receiver {
  const refuse = (problem: string) => new Refused('receivers_invalid', { n, problem })
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refuse('{ type, account, name }')
  const { type, account, name } = given as Record<string, unknown>
  if (!TYPES.includes(type as never)) throw refuse(`type: ${TYPES.join(' / ')}`)
  if (!/^[\w-]{6,64}$/.test(textOf(account))) throw refuse('account')
  if (textOf(name).length > 100 || (type === 'MERCHANT_ID' && !textOf(name))) throw refuse('name')
  return { type: type as Receiver['type'], account: textOf(account), name: textOf(name) }
}

function each<T extends Receiver>(given: unknown, read: (one: unknown, n: number) => T): T[] {
  if (given === null || given === undefined || given === '') return []
  if (!Array.isArray(given) || given.length > MAX) throw new Refused('receivers_invalid', { n: MAX, problem: '[…]' })
  const all = given.map((one, at) => read(one, at + 1))
  for (const [at, { account }] of all.entries())
    if (all.findIndex((one) => one.account === account) !== at) throw new Refused('receiver_twice', { account })
  return all
}

/** Parses a merchant's receivers; refuses invalid ones with their position. */
export const parseReceivers = (given: unknown): Receiver[] => each(given, receiverOf)

/** Parses the receivers of a share with their amounts: yuan on the wire, returned in cents. */
export const parseShares = (given: unknown): ReceiverShare[] =>
  each(given, (one, n) => {
    const receiver = receiverOf(one, n)
    const { amount, description } = one as Record<string, unknown>
    const text = typeof amount === 'number' ? String(amount) : textOf(amount)
    if (!/^\d{1,9}(\.\d{1,2})?$/.test(text) || Number(text) <= 0)
      throw new Refused('receivers_invalid', { n, problem: 'amount' })
    if (textOf(description).length > 80) throw new Refused('receivers_invalid', { n, problem: 'description' })
    return { ...receiver, amount: wireYuanToCents(text), description: textOf(description) }
  })
