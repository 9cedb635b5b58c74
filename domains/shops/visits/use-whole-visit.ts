import { useQuery } from '@tanstack/react-query'
import type { WireRow } from '#kit/resource/index.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { useLiveEvents } from '#kit/web/live/live.ts'
import { customerVisitLog } from './visit.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

export type VisitTimelineMoment = {
  id: string
  kind: string
  kindName: string
  time: string
  deviceName: string
  picture: string
  goodId: string
  goodName: string
  quantity: number
  orderId: string
  orderNo: string
  note: string
}
/** A row of another module, with the fields the timeline uses. */
type TimelineRow = Record<string, string>
export type WholeVisit = {
  visit: WireRow<typeof customerVisitLog>
  moments: VisitTimelineMoment[]
  doors?: TimelineRow[]
  commands?: TimelineRow[]
  orders?: TimelineRow[]
  refunds?: TimelineRow[]
  events?: TimelineRow[]
}

/** Loads a visit with everything that belongs to it, live while it lasts. */
export function useWholeVisit(id: string) {
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['detail', customerVisitLog.name, language, 'whole', id],
    queryFn: () => apiGet<WholeVisit>(`${customerVisitLog.path}/whole`, { id }, { quiet: true }),
  })
  const again = () => void query.refetch()
  useLiveEvents(changedTopicOf(customerVisitLog), ({ ids }) => (!ids || ids.map(String).includes(id)) && again(), again)
  return query
}
