import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { meets } from '#kit/resource/define-resource.ts'
import type { Asked } from '#kit/web/form/action-dialog.tsx'
import { useCan } from '#kit/web/session/can.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { HistoryButton } from '#kit/web/detail/history-button.tsx'
import { get } from '#kit/web/http.ts'
import { useLang, useSay, type Words } from '#kit/web/language.tsx'
import { useLive } from '#kit/web/live/live.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { RowLink, usePathOf } from '#kit/web/list/row-link.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/tab.ts'
import { useDetail } from '#kit/web/detail/use-detail.ts'
import { useMay } from '#kit/web/session/use-may.ts'
import { Thumbnails } from '#kit/web/list/thumbnails.tsx'
import { When } from '#kit/web/parts/when.tsx'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { LightsCell } from './lights.input.tsx'
import { OnlineState } from './online-state.tsx'
import { shopConf } from './shop-conf.resource.ts'
import { Staff, Today } from './shop-beside.panel.tsx'
import '#kit/web/kit.css'
import './shops.css'

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))
const StaffPanel = lazy(() => import('./staff.panel.tsx'))

const words = {
  facts: { zh: '门店资料', en: 'Facts' },
  // Notices of low stock and expiry are told by the parts below.
  events: { zh: '未解决的重要事件', en: 'Important events not resolved' },
  noEvents: { zh: '没有未解决的事件', en: 'Nothing to look after' },
  low: { zh: '库存不足', en: 'Low in stock' },
  noLow: { zh: '库存都够', en: 'Everything is in stock' },
  expiring: { zh: '临期与过期', en: 'Expiring and expired' },
  noExpiring: { zh: '没有临期批次', en: 'Nothing expires soon' },
  left: { zh: '剩 {count}', en: '{count} left' },
  short: { zh: '缺 {count}', en: '{count} short' },
  visits: { zh: '最近到店', en: 'Latest visits' },
  noVisits: { zh: '还没有到店记录', en: 'No visits yet' },
  inside: { zh: '店内', en: 'Inside' },
  unknown: { zh: '未识别顾客', en: 'Not known' },
  works: { zh: '进行中的工单', en: 'Open work orders' },
  noWorks: { zh: '没有进行中的工单', en: 'No open work orders' },
  devices: { zh: '设备', en: 'Devices' },
  noDevices: { zh: '还没有设备', en: 'No devices yet' },
  settings: { zh: '设置', en: 'Settings' },
  all: { zh: '全部', en: 'All' },
  hours: { zh: '无人值守时段', en: 'Unattended hours' },
  seconds: { zh: '{count} 秒', en: '{count} s' },
  days: { zh: '{count} 天', en: '{count} days' },
  pieces: { zh: '{count} 件', en: '{count} pieces' },
  yes: { zh: '已开启', en: 'On' },
  no: { zh: '未开启', en: 'Off' },
} satisfies Record<string, Words>

/** One shop with everything about it, each part as far as its reader may see it. */
export default function ShopPage() {
  const { id = '' } = useParams()
  const say = useSay()
  const { data: shop, error, refetch } = useDetail(basicShopInfo, id)
  const mayStaff = useCan('basicShopInfo_staff')
  const [isStaffing, setStaffing] = useState(false)
  useTabTitle(shop && String(shop.shopName))
  if (!shop)
    return (
      <div className="kit-page">
        {error ? (
          <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} />
        ) : (
          <section className="shop-card">
            <span className="kit-skeleton" />
          </section>
        )}
      </div>
    )
  return (
    <div className="kit-page shop-page">
      <ShopHead shop={shop} />
      <div className="shop-columns">
        <div>
          <Part
            name="event"
            title={words.events}
            query={{ shopId: id, status: '0,1', level: '2,3', descs: 'level,occurTime', size: 6 }}
            none={words.noEvents}
            more="status=0,1&level=2,3"
            row={(row) => (
              <Line
                key={String(row.id)}
                to="event"
                row={row}
                what={String(row.content)}
                small={<When at={String(row.occurTime)} />}
                end={<DictTag code="event_level" value={row.level} />}
              />
            )}
          />
          <div className="shop-pair">
            <Part
              name="goodInfo"
              title={words.low}
              query={{ shopId: id, isLow: 'true', onSale: 'true', ascs: 'stock', size: 6 }}
              none={words.noLow}
              more="isLow=true&onSale=true&ascs=stock"
              row={(row) => (
                <Line
                  key={String(row.id)}
                  to="goodInfo"
                  row={row}
                  what={String(row.name)}
                  small={[row.spec, row.shelfNo].filter(Boolean).join(' · ')}
                  end={
                    <strong className={Number(row.stock) <= 0 ? 'kit-bad' : undefined}>
                      {Number(row.stock) < 0
                        ? say(words.short, { count: -Number(row.stock) })
                        : say(words.left, { count: Number(row.stock) })}
                    </strong>
                  }
                />
              )}
            />
            <Part
              name="storageBatch"
              title={words.expiring}
              query={{ shopId: id, isExpiring: 'true', ascs: 'expiryDate', size: 6 }}
              none={words.noExpiring}
              more="isExpiring=true&ascs=expiryDate"
              row={(row) => (
                <Line
                  key={String(row.id)}
                  to="storageBatch"
                  row={row}
                  what={String(row.goodName)}
                  small={String(row.expiryDate)}
                  end={say(words.left, { count: Number(row.remaining) })}
                />
              )}
            />
          </div>
          <Part
            name="customerVisitLog"
            path="/api/shop/customerVisitLog"
            title={words.visits}
            query={{ shopId: id, size: 6 }}
            none={words.noVisits}
            row={(row) => (
              <Line
                key={String(row.id)}
                to="customerVisitLog"
                row={row}
                what={String(row.wxUserName || say(words.unknown))}
                small={<When at={String(row.enterTime)} />}
                end={
                  <>
                    {String(row.paidAmount) !== '0.00' && <Money value={row.paidAmount} />}{' '}
                    {row.result ? <DictTag code="visit_result" value={row.result} /> : say(words.inside)}
                  </>
                }
              />
            )}
          />
          <Part
            name="workInfo"
            title={words.works}
            query={{ shopId: id, status: '0,1,2', size: 6 }}
            none={words.noWorks}
            more="status=0,1,2"
            row={(row) => (
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
        </div>
        <aside>
          <section className="shop-card shops-beside">
            <Today shopId={id} />
          </section>
          <Facts shop={shop} />
          <Part
            name="cashRegister"
            title={words.devices}
            query={{ shopId: id, size: 10 }}
            none={words.noDevices}
            row={(row) => (
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
            <Devices shopId={id} />
          </Part>
          <section className="shop-card shops-beside">
            <Staff shopId={id} onStaff={mayStaff ? () => setStaffing(true) : undefined} />
          </section>
          <Settings shopId={id} />
        </aside>
      </div>
      <Suspense>{isStaffing && <StaffPanel shop={shop} onClose={() => setStaffing(false)} />}</Suspense>
    </div>
  )
}

function ShopHead({ shop }: { shop: Row }) {
  const say = useSay()
  const may = useMay(basicShopInfo)
  const [asked, setAsked] = useState<Asked>()
  return (
    <header className="shop-card shop-head">
      {shop.logo ? (
        <img src={String(shop.logo)} alt="" />
      ) : (
        <span className="shop-mark" aria-hidden>
          {String(shop.shopName).slice(0, 1)}
        </span>
      )}
      <div>
        <h1>
          {String(shop.shopName)} <span className="kit-quiet">{String(shop.shopCode)}</span>
        </h1>
        <p>
          <DictTag code="shop_status" value={shop.status} />
          {Number(shop.status) === 1 && (
            <OnlineState online={shop.online === true} seen={String(shop.lastSeenTime ?? '')} full />
          )}
          <DictTag code="shop_mode" value={shop.mode} />
        </p>
      </div>
      {(['open', 'pause'] as const)
        .filter((name) => may.act(name) && meets(shop, basicShopInfo.actions[name].enabled))
        .map((name) => (
          <Button
            key={name}
            size="large"
            type={name === 'open' ? 'primary' : 'default'}
            onClick={() => setAsked({ name, action: basicShopInfo.actions[name], rows: [shop] })}
          >
            {say(basicShopInfo.actions[name].label)}
          </Button>
        ))}
      <HistoryButton resource={basicShopInfo} row={shop} size="large" />
      <Suspense>
        {asked && <ActionDialog resource={basicShopInfo} asked={asked} onClose={() => setAsked(undefined)} />}
      </Suspense>
    </header>
  )
}

type PartProps = {
  name: string
  path?: string
  title: Words
  query: Record<string, string | number>
  none: Words
  more?: string
  row: (row: Row) => ReactNode
  children?: ReactNode
}

/** Rows of another room about this shop; not there for who may not see them. */
function Part({ name, path = `/api/shop/${name}`, title, query, none, more, row, children }: PartProps) {
  const say = useSay()
  const language = useLang()
  const page = usePathOf(name)
  const { data, refetch } = useQuery({
    queryKey: ['list', name, language, 'shop', query],
    queryFn: () => get<{ records: Row[]; total: number }>(`${path}/list`, { current: 1, ...query }, { quiet: true }),
    enabled: !!page,
  })
  useLive(
    `${name}.changed`,
    () => void refetch(),
    () => void refetch(),
  )
  if (!page) return null
  const { records = [], total = 0 } = data ?? {}
  return (
    <section className="shop-card shops-beside">
      <div>
        <h3>
          {say(title)}
          {total > 0 && <span className="kit-quiet">{total}</span>}
          <span className="kit-grow" />
          <Link to={`${page}?shopId=${String(query.shopId)}${more ? `&${more}` : ''}`}>{say(words.all)}</Link>
        </h3>
        {data && !records.length && <p className="kit-quiet">{say(none)}</p>}
        {records.length > 0 && <ul className="kit-rows">{records.map(row)}</ul>}
        {children}
      </div>
    </section>
  )
}

const Line = ({
  to,
  row,
  what,
  small,
  end,
}: {
  to: string
  row: Row
  what: string
  small?: ReactNode
  end: ReactNode
}) => (
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

/** What the devices room knows of this shop, beside its registers. */
function Devices({ shopId }: { shopId: string }) {
  const language = useLang()
  const page = usePathOf('deviceInfo')
  const { data } = useQuery({
    queryKey: ['list', 'deviceInfo', language, 'shop', shopId],
    queryFn: () =>
      get<{ records: Row[] }>('/api/shop/deviceInfo/list', { shopId, current: 1, size: 12 }, { quiet: true }),
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
          what={String(row.name || row.deviceName || row.sn)}
          small={[row.typeName ?? row.deviceTypeName, row.sn].filter(Boolean).join(' · ')}
          end={
            typeof row.online === 'boolean' ? (
              <OnlineState online={row.online} seen={String(row.lastSeenTime ?? row.lastOnlineTime ?? '')} />
            ) : (
              String(row.statusName ?? '')
            )
          }
        />
      ))}
    </ul>
  )
}

function Facts({ shop }: { shop: Row }) {
  const say = useSay()
  const { fields } = basicShopInfo
  const place = [shop.districtName, shop.address].filter(Boolean).join(' ').replaceAll('/', '')
  const pictures = String(shop.pictures ?? '')
    .split(',')
    .filter(Boolean)
  const facts: [Words, ReactNode][] = [
    [fields.bossUserId.label, String(shop.bossUserName ?? '')],
    [fields.address.label, place],
    [
      fields.phone.label,
      shop.phone ? (
        <a key="phone" href={`tel:${String(shop.phone)}`}>
          {String(shop.phone)}
        </a>
      ) : (
        ''
      ),
    ],
    [words.hours, shop.unmannedStart ? `${String(shop.unmannedStart)}–${String(shop.unmannedEnd)}` : ''],
    [fields.area.label, Number(shop.area) > 0 ? `${String(shop.area)} ${say(fields.area.unit!)}` : ''],
    [fields.openDate.label, String(shop.openDate ?? '')],
    [fields.clientId.label, String(shop.clientId ?? '')],
    [fields.remark.label, String(shop.remark ?? '')],
  ]
  return (
    <section className="shop-card shops-beside">
      <div>
        <h3>{say(words.facts)}</h3>
        <dl className="shop-facts">
          {facts
            .filter(([, value]) => value !== '')
            .map(([label, value]) => (
              <div key={label.en}>
                <dt>{say(label)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        {pictures.length > 0 && <Thumbnails links={pictures} large />}
      </div>
    </section>
  )
}

function Settings({ shopId }: { shopId: string }) {
  const say = useSay()
  const language = useLang()
  const page = usePathOf('shopConf')
  const { data } = useQuery({
    queryKey: ['list', 'shopConf', language, 'shop', shopId],
    queryFn: () => get<{ records: Row[] }>('/api/shop/shopConf/list', { shopId, current: 1, size: 1 }, { quiet: true }),
    enabled: !!page,
  })
  const conf = data?.records[0]
  if (!page || !conf) return null
  const isOn = (value: unknown) => say(value === true ? words.yes : words.no)
  const { fields } = shopConf
  const facts: [Words, ReactNode][] = [
    [fields.entryMode.label, String(conf.entryModeName ?? '')],
    [fields.doorHoldSeconds.label, say(words.seconds, { count: Number(conf.doorHoldSeconds) })],
    [fields.payTypes.label, String(conf.payTypesName ?? '').replaceAll(',', ' · ')],
    [fields.vipEnabled.label, isOn(conf.vipEnabled)],
    [fields.deliveryEnabled.label, isOn(conf.deliveryEnabled)],
    [fields.unmannedEnabled.label, isOn(conf.unmannedEnabled)],
    [fields.lightSchedule.label, <LightsCell key="lights" value={conf.lightSchedule} />],
    [fields.lowStockThreshold.label, say(words.pieces, { count: Number(conf.lowStockThreshold) })],
    [fields.expiryWarnDays.label, say(words.days, { count: Number(conf.expiryWarnDays) })],
  ]
  return (
    <section className="shop-card shops-beside">
      <div>
        <h3>
          {say(words.settings)}
          <span className="kit-grow" />
          <RowLink to="shopConf" id={String(conf.id)}>
            {say(kit.view)}
          </RowLink>
        </h3>
        <dl className="shop-facts">
          {facts.map(([label, value]) => (
            <div key={label.en}>
              <dt>{say(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
