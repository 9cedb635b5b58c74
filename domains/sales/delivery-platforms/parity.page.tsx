import { useQuery } from '@tanstack/react-query'
import { Button, Input, Pagination, Segmented, Select, Skeleton } from 'antd'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { Popup } from '#kit/web/parts/popup.tsx'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { ParityShops, type ParityShop } from './parity-shops.tsx'
import { UNCONFIRMED_ACTIONS_FILTER } from './dictionaries.ts'
import { words } from './parity-words.ts'
import { platformAsk } from './platform-ask.resource.ts'
import { StockExplanation } from './stock-figure.panel.tsx'
import { changedTopicOf } from '#kit/resource/index.ts'
import './parity.css'

type Row = {
  rowId: string
  thereId: string
  platform: string
  family: string
  shopId: string
  shopName: string
  goodId: string
  name: string
  upc: string
  picture: string
  state: string
  isOnSale: boolean
  lacks: { key: string; label: string }[]
  reviewLabel: string
  reviewReason: string
  price: string
  priceThere: string
  goodPrice: string
  markup: number
  stock: number | ''
  stockThere: number | ''
  goodStock: number | ''
  kept: number
  syncTime: string
  syncError: string
  problemField: string
  problemLabel: string
  nextTime: string
}
type Board = { records: Row[]; total: number; sums: Record<string, number> }

const STATES = ['off', 'refused', 'waiting', 'incomplete', 'unlisted', 'inStep', ''] as const
type ParityPageState = {
  state: (typeof STATES)[number]
  platform: string
  shopId: string
  key: string
  current: number
}
const OFF = ['refused', 'waiting', 'incomplete']
const SIZE = 20
/** Refetch interval: changes a platform makes by itself are not pushed to us at once. */
const AGAIN_MS = 20_000

/** Compares products at the delivery platforms with ours and says what keeps them from being in sync. */
export default function ParityPage() {
  const t = useLocalize()
  const lang = useLanguage()
  const differences = useResourcePath('platformDifference')
  const [view, setView] = useState<ParityPageState>({ state: 'off', platform: '', shopId: '', key: '', current: 1 })
  const { state, platform, shopId, key, current } = view
  const ask = (change: object) => setView((before) => ({ ...before, current: 1, ...change }))
  const shops = useQuery({
    queryKey: ['parity', 'shops', lang],
    queryFn: ({ signal }) => apiGet<ParityShop[]>('/api/thirdparty/parity/shops', {}, { quiet: true, signal }),
    refetchInterval: AGAIN_MS,
  })
  const board = useQuery({
    queryKey: ['parity', 'list', { state, platform, shopId, key, current }, lang],
    queryFn: ({ signal }) =>
      apiGet<Board>(
        '/api/thirdparty/parity/list',
        { state, platform, shopId, key, current: String(current), size: String(SIZE) },
        { quiet: true, signal },
      ),
    refetchInterval: AGAIN_MS,
    placeholderData: (before) => before,
  })
  const again = () => Promise.all([shops.refetch(), board.refetch()])
  const all = shops.data ?? []
  const shown = all.filter((one) => (!platform || one.platform === platform) && (!shopId || one.shopId === shopId))
  return (
    <div className="kit-page parity">
      {['eleSkuInfo', 'meituanSkuInfo', 'eleShopInfo', 'meituanShopInfo'].map((resource) => (
        <Follow key={resource} resource={resource} again={again} />
      ))}
      <header className="kit-title">
        <h1>{t(words.title)}</h1>
        <p>
          {t(words.intro)}
          {differences && (
            <>
              {' '}
              <Link to={differences}>{t(words.differences)}</Link>
            </>
          )}
        </p>
        <Unconfirmed />
      </header>
      <Bar view={view} ask={ask} shops={all} sums={board.data?.sums ?? {}} />
      {shops.data && <ParityShops shops={shown} />}
      <Goods board={board} />
      {(board.data?.total ?? 0) > SIZE && (
        <Pagination
          align="end"
          current={current}
          pageSize={SIZE}
          total={board.data!.total}
          showSizeChanger={false}
          onChange={(page) => ask({ current: page })}
        />
      )}
    </div>
  )
}

/** Link to the actions on orders that a platform has not confirmed, with their number. */
function Unconfirmed() {
  const t = useLocalize()
  const path = useResourcePath(platformAsk.name)
  const { data, refetch } = useQuery({
    queryKey: ['parity', 'unconfirmed'],
    queryFn: ({ signal }) =>
      apiGet<{ total: number }>(
        `${platformAsk.path}/list`,
        { ...UNCONFIRMED_ACTIONS_FILTER, size: '1' },
        { quiet: true, signal },
      ),
    enabled: !!path,
  })
  useLiveRefetch(changedTopicOf(platformAsk), refetch)
  if (!path || !data?.total) return null
  return (
    <p className="parity-why">
      <Link to={`${path}?${new URLSearchParams(UNCONFIRMED_ACTIONS_FILTER).toString()}`}>
        {t(words.unconfirmed, { count: data.total })}
      </Link>
    </p>
  )
}

type BarProps = {
  view: ParityPageState
  ask: (change: object) => void
  shops: ParityShop[]
  sums: Record<string, number>
}

/** Filter bar: state (with counts), platform, shop and name. */
function Bar({ view: { state, platform, shopId }, ask, shops: all, sums }: BarProps) {
  const t = useLocalize()
  const count = (one: string) =>
    (one === 'off' ? OFF : one ? [one] : Object.keys(sums)).reduce((sum, name) => sum + (sums[name] ?? 0), 0)

  return (
    <div className="parity-bar">
      <Segmented
        aria-label={t(words.state)}
        value={state}
        onChange={(value) => ask({ state: value })}
        options={STATES.map((one) => ({
          value: one,
          label: (
            <>
              {t(one ? words[`state_${one}`] : words.all)} <small className="kit-number">{count(one)}</small>
            </>
          ),
        }))}
      />
      <Choice
        label={t(words.platform)}
        all={t(words.allPlatforms)}
        value={platform}
        onChange={(value) => ask({ platform: value })}
        options={[...new Set(all.map((one) => one.platform))].map((one) => ({
          value: one,
          label: t(words[`on_${one}` as 'on_ele']),
        }))}
      />
      <Choice
        label={t(words.shop)}
        all={t(words.allShops)}
        value={shopId}
        onChange={(value) => ask({ shopId: value })}
        options={[...new Map(all.map((one) => [one.shopId, one.shopName || one.name]))].map(([value, label]) => ({
          value,
          label,
        }))}
      />
      <Input.Search
        allowClear
        className="parity-key"
        aria-label={t(words.key)}
        placeholder={t(words.key)}
        onSearch={(value) => ask({ key: value.trim() })}
      />
    </div>
  )
}

function Follow({ resource, again }: { resource: string; again: () => unknown }) {
  useLiveRefetch(changedTopicOf(resource), again)
  return null
}

type ChoiceProps = {
  label: string
  all: string
  value: string
  onChange: (value: string) => void
  options: { value: string; label: string }[]
}

/** Choice of one or all; hidden when there is only one option. */
function Choice({ label, all, value, onChange, options }: ChoiceProps) {
  if (options.length < 2) return null
  return (
    <Select
      className="parity-choice"
      aria-label={label}
      value={value}
      onChange={onChange}
      showSearch={{ optionFilterProp: 'label' }}
      options={[{ value: '', label: all }, ...options]}
    />
  )
}

function Goods({ board: { data, error, refetch } }: { board: ReturnType<typeof useQuery<Board>> }) {
  const t = useLocalize()
  if (error) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 8 }} />
  if (!data.records.length) return <EmptyStateNote icon="check-circle" title={t(words.nothing)} />
  const heads = [words.good, words.where, words.state, words.needed, words.price, words.stock, words.last]
  return (
    <div className="parity-goods" role="table" aria-label={t(words.title)}>
      <div className="parity-row parity-head" role="row">
        {heads.map((head) => (
          <span key={head.en} role="columnheader">
            {t(head)}
          </span>
        ))}
      </div>
      {data.records.map((row) => (
        <GoodRow key={`${row.platform}/${row.rowId || row.goodId}/${row.thereId}`} row={row} />
      ))}
    </div>
  )
}

function GoodRow({ row }: { row: Row }) {
  const t = useLocalize()
  const cells: [keyof typeof words, ReactNode][] = [
    ['where', <Where key="where" row={row} />],
    ['state', <State key="state" row={row} />],
    ['needed', <Needed key="needed" row={row} />],
    ['price', <Price key="price" row={row} />],
    ['stock', <Stock key="stock" row={row} />],
    ['last', <Last key="last" row={row} />],
  ]
  return (
    <div className="parity-row" role="row">
      <span role="cell" className="parity-good">
        {row.picture ? (
          <img src={row.picture} alt="" loading="lazy" />
        ) : (
          <Icon name="picture" className="parity-bare" />
        )}
        <span>
          <b>{row.name}</b>
          <small className="kit-quiet">{row.upc}</small>
        </span>
      </span>
      {cells.map(([key, cell]) => (
        <span key={key} role="cell" data-label={t(words[key])}>
          {cell}
        </span>
      ))}
    </div>
  )
}

function Where({ row }: { row: Row }) {
  const t = useLocalize()
  return (
    <>
      {t(words[`on_${row.platform}` as 'on_ele'])}
      <small className="kit-quiet">{row.shopName}</small>
    </>
  )
}

/** Link to the edit form of the product at the platform, at the field to correct. */
function FixLink({ row, field, children }: { row: Row; field?: string | null; children: ReactNode }) {
  const path = useResourcePath(row.family)
  if (!path || !row.rowId) return <>{children}</>
  return <Link to={`${path}?edit=${row.rowId}${field ? `&field=${field}` : ''}`}>{children}</Link>
}

function State({ row }: { row: Row }) {
  const t = useLocalize()
  const path = useResourcePath(row.family)
  const why = row.syncError || row.reviewReason
  return (
    <>
      <DictTag code="parity_state" value={row.state} />
      {row.rowId && !row.isOnSale && row.state !== 'unlisted' && (
        <small className="kit-quiet">{t(words.offSale)}</small>
      )}
      {row.reviewLabel && <small className="kit-quiet">{t(words.review, { state: row.reviewLabel })}</small>}
      {why && (
        <small className="parity-why">
          <FixLink row={row} field={row.problemField}>
            {why}
          </FixLink>
        </small>
      )}
      {row.state === 'unlisted' && path && (
        <small>
          <Link to={row.rowId ? `${path}?edit=${row.rowId}` : `${path}?goodId=${row.goodId}`}>{t(words.toList)}</Link>
        </small>
      )}
    </>
  )
}

function Needed({ row }: { row: Row }) {
  const t = useLocalize()
  if (!row.rowId) return <span className="kit-quiet">–</span>
  if (!row.lacks.length) return <span className="kit-quiet">{t(words.complete)}</span>
  return (
    <span className="parity-lacks">
      {row.lacks.map(({ key, label }) => (
        <FixLink key={key} row={row} field={key}>
          {label}
        </FixLink>
      ))}
    </span>
  )
}

/** The platform's value, with ours below when they differ. */
function Pair({ there, ours, isOff }: { there: ReactNode; ours: ReactNode; isOff: boolean }) {
  const t = useLocalize()
  return (
    <>
      {there}
      {isOff && (
        <small className="parity-why">
          {t(words.toBe)} {ours}
        </small>
      )}
    </>
  )
}

function Price({ row }: { row: Row }) {
  const t = useLocalize()
  if (!row.price) return <span className="kit-quiet">–</span>
  const isOff = row.priceThere !== '' && row.priceThere !== row.price
  return (
    <>
      <Pair there={<Money value={row.priceThere || row.price} />} ours={<Money value={row.price} />} isOff={isOff} />
      {row.markup > 0 && <small className="kit-quiet">{t(words.markup, { markup: row.markup })}</small>}
    </>
  )
}

/** The stock figure. A click explains how it is made up and leads to the movements behind it. */
function Stock({ row }: { row: Row }) {
  const t = useLocalize()
  const mayOpen = !!useResourcePath('storageLog')
  if (row.stock === '')
    return (
      <>
        <span className="kit-quiet">–</span>
        <small className="kit-quiet">{t(words.inShop, { count: row.goodStock || 0 })}</small>
      </>
    )
  const isOff = row.stockThere !== '' && row.stockThere !== row.stock
  return (
    <Pair
      there={
        <Popup
          label={t(words.stock)}
          content={
            <div className="parity-sum">
              {mayOpen ? (
                <StockExplanation goodId={row.goodId} />
              ) : (
                <p>{t(words.sum, { shop: row.goodStock || 0, kept: row.kept, there: row.stock })}</p>
              )}
            </div>
          }
        >
          <Button type="link" className="kit-link parity-figure">
            {row.stockThere === '' ? row.stock : row.stockThere}
          </Button>
        </Popup>
      }
      ours={row.stock}
      isOff={isOff}
    />
  )
}

function Last({ row }: { row: Row }) {
  const t = useLocalize()
  return (
    <>
      {row.syncTime ? <RelativeTime at={row.syncTime} /> : <span className="kit-quiet">{t(words.never)}</span>}
      {row.nextTime && (
        <small className="kit-quiet">
          {t(words.next)} <RelativeTime at={row.nextTime} />
        </small>
      )}
    </>
  )
}
