import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { RowLink, useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { OnlineState } from './online-state.tsx'
import { changedTopicOf } from '#kit/resource/index.ts'
import './shops.css'

// Rows of other modules about a shop, each for people who may see them.

const words = {
  // Low stock and expiring goods have parts of their own below.
  events: { zh: '未解决的重要事件', en: 'Open important events' },
  noEvents: { zh: '没有未解决的事件', en: 'No open events' },
  low: { zh: '库存不足', en: 'Low in stock' },
  noLow: { zh: '库存都够', en: 'All products in stock' },
  expiring: { zh: '临期与过期', en: 'Expiring & expired' },
  noExpiring: { zh: '没有临期批次', en: 'No batches expiring soon' },
  left: { zh: '剩 {count}', en: '{count} left' },
  short: { zh: '缺 {count}', en: '{count} short' },
  visits: { zh: '最近到店', en: 'Recent visits' },
  noVisits: { zh: '还没有到店记录', en: 'No visits yet' },
  inside: { zh: '店内', en: 'Inside' },
  unknown: { zh: '未识别顾客', en: 'Unidentified customer' },
  works: { zh: '进行中的工单', en: 'Open work orders' },
  noWorks: { zh: '没有进行中的工单', en: 'No open work orders' },
  devices: { zh: '设备', en: 'Devices' },
  noDevices: { zh: '还没有设备', en: 'No devices yet' },
  all: { zh: '全部', en: 'All' },
} satisfies Record<string, LocalizedText>

type Props = { shopId: string }

// Rows of other modules, with only the fields used here.
type EventRow = { id: string; content: string; occurTime: string; level: number }
type GoodRow = { id: string; name: string; spec: string; shelfNo: string; stock: number | string }
type BatchRow = { id: string; goodName: string; expiryDate: string; remaining: number | string }
type VisitRow = { id: string; wxUserName: string; enterTime: string; paidAmount: number | string; result: string }
type WorkRow = { id: string; title: string; workNo: string; workerName: string; status: number }
type RegisterRow = {
  id: string
  name: string
  sn: string
  status: number
  online: boolean
  lastHeartbeat: string
}

export const ShopEvents = ({ shopId }: Props) => (
  <Part
    name="event"
    title={words.events}
    query={{ shopId, status: '0,1', level: '2,3', descs: 'level,occurTime', size: 6 }}
    none={words.noEvents}
    more="status=0,1&level=2,3"
    row={(row: EventRow) => (
      <Line
        key={String(row.id)}
        to="event"
        row={row}
        what={String(row.content)}
        small={<RelativeTime at={String(row.occurTime)} />}
        end={<DictTag code="event_level" value={row.level} />}
      />
    )}
  />
)

export function ShopLowStock({ shopId }: Props) {
  const t = useLocalize()
  return (
    <Part
      name="goodInfo"
      title={words.low}
      query={{ shopId, isLow: 'true', onSale: 'true', ascs: 'stock', size: 6 }}
      none={words.noLow}
      more="isLow=true&onSale=true&ascs=stock"
      row={(row: GoodRow) => (
        <Line
          key={String(row.id)}
          to="goodInfo"
          row={row}
          what={String(row.name)}
          small={[row.spec, row.shelfNo].filter(Boolean).join(' · ')}
          end={
            <strong className={Number(row.stock) <= 0 ? 'kit-bad' : undefined}>
              {Number(row.stock) < 0
                ? t(words.short, { count: -Number(row.stock) })
                : t(words.left, { count: Number(row.stock) })}
            </strong>
          }
        />
      )}
    />
  )
}

export function ShopExpiringStock({ shopId }: Props) {
  const t = useLocalize()
  return (
    <Part
      name="storageBatch"
      title={words.expiring}
      query={{ shopId, isExpiring: 'true', ascs: 'expiryDate', size: 6 }}
      none={words.noExpiring}
      more="isExpiring=true&ascs=expiryDate"
      row={(row: BatchRow) => (
        <Line
          key={String(row.id)}
          to="storageBatch"
          row={row}
          what={String(row.goodName)}
          small={String(row.expiryDate)}
          end={t(words.left, { count: Number(row.remaining) })}
        />
      )}
    />
  )
}

export function ShopVisits({ shopId }: Props) {
  const t = useLocalize()
  return (
    <Part
      name="customerVisitLog"
      title={words.visits}
      query={{ shopId, size: 6 }}
      none={words.noVisits}
      row={(row: VisitRow) => (
        <Line
          key={String(row.id)}
          to="customerVisitLog"
          row={row}
          what={String(row.wxUserName || t(words.unknown))}
          small={<RelativeTime at={String(row.enterTime)} />}
          end={
            <>
              {String(row.paidAmount) !== '0.00' && <Money value={row.paidAmount} />}{' '}
              {row.result ? <DictTag code="visit_result" value={row.result} /> : t(words.inside)}
            </>
          }
        />
      )}
    />
  )
}

export const ShopWorkOrders = ({ shopId }: Props) => (
  <Part
    name="workInfo"
    title={words.works}
    query={{ shopId, status: '0,1,2', size: 6 }}
    none={words.noWorks}
    more="status=0,1,2"
    row={(row: WorkRow) => (
      <Line
        key={String(row.id)}
        to="workInfo"
        row={row}
        what={String(row.title)}
        small={[row.workNo, row.workerName].filter(Boolean).join(' · ')}
        end={<DictTag code="work_status" value={row.status} />}
      />
    )}
  />
)

/** The registers and other devices of a shop. */
export const ShopRegisters = ({ shopId }: Props) => (
  <Part
    name="cashRegister"
    title={words.devices}
    query={{ shopId, size: 10 }}
    none={words.noDevices}
    row={(row: RegisterRow) => (
      <Line
        key={String(row.id)}
        to="cashRegister"
        row={row}
        what={String(row.name)}
        small={String(row.sn)}
        end={
          Number(row.status) === 1 ? (
            <OnlineState online={row.online === true} seen={String(row.lastHeartbeat ?? '')} />
          ) : (
            <DictTag code="register_status" value={row.status} />
          )
        }
      />
    )}
  >
    <Devices shopId={shopId} />
  </Part>
)

type PartProps<R> = {
  name: string
  title: LocalizedText
  query: Record<string, string | number>
  none: LocalizedText
  more?: string
  row: (row: R) => ReactNode
  children?: ReactNode
}

/** Rows of another module about the shop; nothing for people who may not see them. */
function Part<R extends { id: string }>(props: PartProps<R>) {
  const { name, title, query, none, more, row, children } = props
  const t = useLocalize()
  const language = useLanguage()
  const page = useResourcePath(name)
  const { data, refetch } = useQuery({
    queryKey: ['list', name, language, 'shop', query],
    queryFn: () =>
      apiGet<{ records: R[]; total: number }>(`/api/shop/${name}/list`, { current: 1, ...query }, { quiet: true }),
    enabled: !!page,
  })
  useLiveRefetch(changedTopicOf(name), refetch)
  if (!page) return null
  const { records = [], total = 0 } = data ?? {}
  return (
    <section className="shop-card shops-beside">
      <div>
        <h3>
          {t(title)}
          {/* What stands below without being of this family is not in the number. */}
          {total > 0 && !children && <span className="kit-quiet">{total}</span>}
          <span className="kit-grow" />
          <Link to={`${page}?shopId=${String(query.shopId)}${more ? `&${more}` : ''}`}>{t(words.all)}</Link>
        </h3>
        {data && !records.length && <p className="kit-quiet">{t(none)}</p>}
        {records.length > 0 && <ul className="kit-rows">{records.map(row)}</ul>}
        {children}
      </div>
    </section>
  )
}

type LineProps = { to: string; row: { id: string }; what: string; small?: ReactNode; end: ReactNode }

const Line = ({ to, row, what, small, end }: LineProps) => (
  <li>
    <span>
      <RowLink to={to} id={String(row.id)}>
        {what}
      </RowLink>
      {small && <small>{small}</small>}
    </span>
    <span>{end}</span>
  </li>
)

type DeviceRow = { id: string; name: string; sn: string; typeName: string; online?: boolean; lastSeenTime?: string }

/** Devices of the shop, shown below its registers. */
function Devices({ shopId }: { shopId: string }) {
  const language = useLanguage()
  const page = useResourcePath('deviceInfo')
  const { data } = useQuery({
    queryKey: ['list', 'deviceInfo', language, 'shop', shopId],
    queryFn: () =>
      apiGet<{ records: DeviceRow[] }>('/api/shop/deviceInfo/list', { shopId, current: 1, size: 12 }, { quiet: true }),
    enabled: !!page,
  })
  if (!data?.records.length) return null
  return (
    <ul className="kit-rows">
      {data.records.map((row) => (
        <Line
          key={String(row.id)}
          to="deviceInfo"
          row={row}
          what={String(row.name || row.sn)}
          small={[row.typeName, row.sn].filter(Boolean).join(' · ')}
          end={
            typeof row.online === 'boolean' && <OnlineState online={row.online} seen={String(row.lastSeenTime ?? '')} />
          }
        />
      ))}
    </ul>
  )
}
