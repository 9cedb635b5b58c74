import { secretCipherOf } from '#domains/platform/files/api.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { MONEY_MOVE_STATE, moneyMove, type MoneyMoveResult } from './money-move.resource.ts'
import { DUAL_APPROVAL_THRESHOLD_PARAM } from './params.ts'

type Doing = Pick<Call, 'db' | 'services' | 'caller'>
/** Executes a move on its subject; refuses if it is no longer possible. */
type ExecuteMove = (call: Doing, subjectKey: string, ask: unknown) => Promise<unknown>

/** Called when the second person declines, so that the module can update its subject. */
type MoveDeclined = (call: Doing, subjectKey: string, why: string) => Promise<void>

const moves = defineSlot<Record<string, { work: ExecuteMove; declined?: MoveDeclined }>>('moneyMoves')

/**
 * Registers how a module executes moves of a kind, with one person or after the second approval, and what it does when
 * the second person declines.
 */
export const registerMoneyMove = (services: Services, kind: string, work: ExecuteMove, declined?: MoveDeclined): void =>
  services.slots.add(moves, kind, { work, declined })

/** Returns the amount in cents above which a second person must approve. */
export const loadDualApprovalThresholdCents = async (services: Services): Promise<number> =>
  Math.round((await paramNumber(services, DUAL_APPROVAL_THRESHOLD_PARAM)) * 100)

type MoneyMoveRequest = {
  kind: string
  /** Key of the subject for the module, and the number people know it by. */
  subjectKey: string
  subjectNo: string
  orderId: string | null
  shopId: string | null
  /** In cents. */
  amount: number
  /** Cents of the same subject moved before: they count towards the limit, so that it cannot be evaded in parts. */
  before?: number
  /** Further input of the move; encrypted while it waits. */
  ask?: unknown
}

/** Whether a move of this subject waits for approval. */
const hasPendingMove = async (db: Db, kind: string, subjectKey: string): Promise<boolean> =>
  (await db.one(sql`select 1 from money_move where tenant_id = ${db.tenantId} and kind = ${kind}
    and subject_key = ${subjectKey} and state = ${MONEY_MOVE_STATE.waiting}`)) !== undefined

/**
 * Executes a move of money, or records it to wait for a second person if the amount is above the limit
 * (`DUAL_APPROVAL_THRESHOLD_PARAM`). The caller holds the lock of the subject. Refuses a subject that already waits
 * (`money_waits`).
 *
 * @returns What the module returns, or `{ waits: true }` with the id of the waiting move.
 */
export async function requestMoneyMove(
  call: Call,
  { ask, before = 0, ...given }: MoneyMoveRequest,
): Promise<MoneyMoveResult | void> {
  const { db, services, caller } = call
  if (await hasPendingMove(db, given.kind, given.subjectKey)) throw new Refused('money_waits', { no: given.subjectNo })
  if (before + given.amount <= (await loadDualApprovalThresholdCents(services)))
    // What a module answers to its own move is its own; moves asked for by an action answer this.
    return (await services.slots.find(moves)![given.kind]!.work(call, given.subjectKey, ask)) as MoneyMoveResult | void
  const row = await db.insert(moneyMove, {
    ...given,
    state: MONEY_MOVE_STATE.waiting,
    askUser: caller.userId,
    sealedAsk: secretCipherOf(services).seal(JSON.stringify(ask ?? null)),
  })
  publishRowsChanged({ db }, moneyMove, [row])
  return { waits: true, id: row.id }
}

/** Decrypts the input of a waiting move; undefined if that fails. */
function decryptInput(services: Services, sealedAsk: string | null): unknown {
  try {
    return sealedAsk ? JSON.parse(secretCipherOf(services).open(sealedAsk)) : undefined
  } catch {
    return undefined
  }
}

export const moneyMoveServer = serve(moneyMove, {
  without: ['submit'],
  beforeSave: (_draft, was) => rejectManualCreate(moneyMove, was),
  actions: {
    confirm: async (row, { secondRemark }, call) => {
      const { services, caller } = call
      if (caller.userId === row.askUser) throw new Refused('money_other_person')
      const ask = decryptInput(services, row.sealedAsk)
      const work = services.slots.find(moves)?.[row.kind!]?.work
      if (ask === undefined || !work) throw new Refused('not_found', { label: moneyMove.label })
      const second = { secondUser: caller.userId, secondTime: formatShanghaiTime(services.now()), secondRemark }
      await requireTransition(call, moneyMove, row.id, 'confirm', { ...second, sealedAsk: null })
      await work(call, row.subjectKey!, ask)
    },
    decline: async (row, { secondRemark }, call) => {
      const { services, caller } = call
      const second = { secondUser: caller.userId, secondTime: formatShanghaiTime(services.now()), secondRemark }
      await requireTransition(call, moneyMove, row.id, 'decline', { ...second, sealedAsk: null })
      await services.slots.find(moves)?.[row.kind!]?.declined?.(call, row.subjectKey!, secondRemark)
    },
  },
})
