import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { App, Select, Skeleton } from 'antd'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { apiGet } from '#kit/web/http/http.ts'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { useTab } from '#kit/web/base/tab.ts'
import { listUnsavedWork } from '#kit/web/base/unsaved.ts'
import { supplierCart } from './supplier-cart.resource.ts'
import { SupplierCartOrder } from './supplier-cart-order.tsx'
import { words } from './supplier-cart-words.ts'
import type { SupplierCartGoods } from './use-cart-order.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import '#kit/web/base/kit.css'
import './suppliers.css'

type Shop = { id: string; shopName: string }

/** The purchase cart by shop: suggestions with reasons, quantities to change, and one button that places the orders. */
export default function SupplierCartPage() {
  const t = useLocalize()
  const [search, setSearch] = useSearchParams()
  const shopId = search.get('shopId') ?? ''
  const days = Number(search.get('coverDays')) || 7
  const set = (changes: Record<string, string>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [key, value] of Object.entries(changes)) next.set(key, value)
        return next
      },
      { replace: true },
    )

  const shops = useQuery({
    queryKey: ['shops', 'mine'],
    queryFn: () => apiGet<Shop[]>('/api/shop/basicShopInfo/query', undefined, { quiet: true }),
  })
  const first = shops.data?.[0]?.id
  useEffect(() => {
    if (!shopId && first) set({ shopId: first })
  })
  const goods = useSuggested(shopId, days)

  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(supplierCart.label)}</h1>
        <p>{t(words.intro)}</p>
      </header>
      <div className="supplier-bar">
        <ShopChoice shops={shops} value={shopId} onChange={(id) => set({ shopId: id })} />
        <DaysChoice value={days} onChange={(next) => set({ coverDays: String(next) })} />
      </div>
      {shops.data && !shops.data.length ? (
        <EmptyStateNote icon="shop" title={t(words.noShops)} />
      ) : goods.data ? (
        <SupplierCartOrder
          key={shopId}
          shopId={shopId}
          shopName={shops.data?.find(({ id }) => id === shopId)?.shopName ?? ''}
          goods={goods.data}
        />
      ) : goods.error ? (
        <ErrorNote title={t(kit.failedList)} error={goods.error} retry={() => void goods.refetch()} />
      ) : (
        <Skeleton active paragraph={{ rows: 10 }} />
      )}
    </div>
  )
}

/** Loads the suggestions of a shop and keeps them current: others may fill the cart or order meanwhile. */
function useSuggested(shopId: string, days: number) {
  const language = useLanguage()
  const goods = useQuery({
    queryKey: ['list', supplierCart.name, 'suggest', shopId, days, language],
    enabled: !!shopId,
    staleTime: 0,
    queryFn: ({ signal }) =>
      apiGet<SupplierCartGoods[]>(`${supplierCart.path}/suggest`, { shopId, coverDays: days }, { quiet: true, signal }),
    // A change of the days keeps the lines, with what was typed, on screen until the new suggestions arrive.
    placeholderData: (before, query) => (query?.queryKey[3] === shopId ? before : undefined),
  })
  useLiveRefetch(changedTopicOf('supplierCart'), goods.refetch)
  useLiveRefetch(changedTopicOf('supplierOrder'), goods.refetch)
  return goods
}

type ShopChoiceProps = { shops: UseQueryResult<Shop[]>; value: string; onChange: (id: string) => void }

function ShopChoice({ shops, value, onChange }: ShopChoiceProps) {
  const t = useLocalize()
  const { modal } = App.useApp()
  const { key: tab } = useTab()
  // Typed quantities belong to one shop, so leaving asks first.
  const askFirst = (go: () => void) =>
    listUnsavedWork(tab).length
      ? void modal.confirm({
          title: t(kit.unsaved),
          content: t(kit.unsavedHint, { fields: t(words.quantities) }),
          okText: t(kit.discard),
          cancelText: t(kit.keepEditing),
          okButtonProps: { danger: true },
          onOk: go,
        })
      : go()
  return (
    <Select
      size="large"
      showSearch
      optionFilterProp="label"
      value={value || undefined}
      placeholder={t(words.shop)}
      aria-label={t(words.shop)}
      loading={shops.isPending}
      options={(shops.data ?? []).map(({ id, shopName }) => ({ value: id, label: shopName }))}
      onChange={(id) => askFirst(() => onChange(id))}
    />
  )
}

function DaysChoice({ value, onChange }: { value: number; onChange: (days: number) => void }) {
  const t = useLocalize()
  return (
    <Select
      size="large"
      value={value}
      aria-label={t(words.cover)}
      options={[3, 7, 14, 30].map((one) => ({
        value: one,
        label: `${t(words.cover)} ${t(words.days, { days: one })}`,
      }))}
      onChange={onChange}
    />
  )
}
