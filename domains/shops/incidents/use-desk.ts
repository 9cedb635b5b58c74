import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { apiGet, apiPost, type ApiError } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { toast } from '#kit/web/base/toast.ts'
import { guardCase } from './guard-case.resource.ts'
import type { RiskPart } from './risk.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

export type DeskCase = {
  id: string
  kind: string
  kindName: string
  status: number
  level: number
  shopId: string
  shopName: string
  cameTime: string
  takerId: string
  takerName: string
  eventId: string
  visitId: string
  refundId: string
  refundNo: string
  orderId: string
  wxUserId: string
  wxUserName: string
  content: string
  count: number
  amount: string
  /** Some goods have no known cost and are not in the amount. */
  isCostUnknown: boolean
  /** Sale price of the unpaid goods when the amount is their cost; empty otherwise. */
  priceAmount: string
  picture: string
  isOffline: boolean
  isUnattended: boolean
  risk: number
  parts: RiskPart[]
}
type DeskShop = { id: string; name: string; isOffline: boolean; isUnattended: boolean }
export type DeskOverview = {
  userId: string
  cases: DeskCase[]
  shops: DeskShop[]
  figures: { waiting: number; taken: number; done: number; p95: number | '' }
  shift: { id: string; startTime: string } | null
}
type CaseActionEntry = {
  id: string
  kind: string
  kindName: string
  note: string | null
  time: string
  who: string
  whom: string
}
export type TalkDownPhrase = { id: string; name: string; text: string; state: string }
export type CaseContext = {
  deeds: CaseActionEntry[]
  phrases: TalkDownPhrase[]
  person: { wxUserId: string; blockId: string | null; visits: number; unpaid: number } | null
}

/** Interval of polling in ms, for the time without a live connection. */
const LOOK_MS = 15_000
/** Delay in ms that merges several messages into one reload. */
const SOON_MS = 150

/** Calls `again` shortly after, once for all calls in the meantime. */
function useSoon(again: () => unknown): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(again)
  useEffect(() => {
    latest.current = again
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void latest.current(), SOON_MS)
  }
}

/** Loads the queue of the desk and keeps it live. */
export function useGuardDesk() {
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['guard-desk', language],
    queryFn: () => apiGet<DeskOverview>(`${guardCase.path}/desk`, undefined, { quiet: true }),
    refetchInterval: LOOK_MS,
    staleTime: 0,
  })
  const soon = useSoon(query.refetch)
  useLiveRefetch(changedTopicOf('guardCase'), soon)
  useLiveRefetch(changedTopicOf('event'), soon)
  useLiveRefetch(changedTopicOf('customerVisitLog'), soon)
  useLiveRefetch(changedTopicOf('refunds'), soon)
  useLiveRefetch(changedTopicOf('guardShift'), soon)
  return query
}

/** Loads the details beside a case; again whenever its state or taker changes. */
export function useCaseContext(one: DeskCase) {
  const language = useLanguage()
  return useQuery({
    queryKey: ['guard-beside', one.id, one.status, one.takerId, language],
    queryFn: () => apiGet<CaseContext>(`${guardCase.path}/beside`, { id: one.id }, { quiet: true }),
    placeholderData: (before) => before,
  })
}

/** Runs an action on a case; shows a refusal as a toast and reloads the queue. Returns undefined on a refusal. */
export function useCaseAction(refetch: () => Promise<unknown>) {
  return async <T = unknown>(name: string, body: object): Promise<T | undefined> => {
    try {
      const answer = await apiPost<T>(`${guardCase.path}/${name}`, { body }, { quiet: true })
      await refetch()
      return answer ?? ({} as T)
    } catch (error) {
      toast.error((error as ApiError).message)
      await refetch()
      return undefined
    }
  }
}
export type CaseActionRunner = ReturnType<typeof useCaseAction>
