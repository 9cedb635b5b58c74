import { formatAmount } from '#kit/fields/money/cents.ts'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useAriaRequired } from '#kit/web/base/required.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { referenceLabelsById } from '#kit/fields/ref/ref.web.tsx'
import { apiGet } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { useDebouncedValue } from '#kit/web/inputs/use-options.ts'
import { discountConf } from './discount-conf.resource.ts'

const words = {
  inShops: { zh: '{count} 家店', en: '{count} {count|store|stores}' },
}

type CampaignGood = {
  id: string
  upc: string
  name: string
  spec: string
  price: string
  dearest: string
  cost: string
  shops: number
}

/** A reference of a form as text; "" for none. */
export const toReferenceText = (value: unknown) =>
  value === undefined || value === null || value === -1 ? '' : String(value)
/** Parameters of the campaign's shops and tenant for calls. */
export const toCampaignScopeParams = (values: Record<string, unknown>) => ({
  shopIds: toReferenceText(values.shopIds),
  tenantId: toReferenceText(values.tenantId),
})

/** Loads products for a campaign, one per barcode; loads nothing without parameters. */
export const useEligibleGoods = (params: Record<string, string> | undefined) =>
  useQuery({
    queryKey: ['campaign-goods', params],
    queryFn: ({ signal }) => apiGet<CampaignGood[]>(`${discountConf.path}/goods`, params, { quiet: true, signal }),
    enabled: !!params,
    staleTime: 30_000,
  })

function Line({ one }: { one: CampaignGood }) {
  const t = useLocalize()
  const price =
    one.price === one.dearest
      ? `¥${formatAmount(one.price)}`
      : `¥${formatAmount(one.price)}–${formatAmount(one.dearest)}`
  return (
    <span className="kit-option">
      <span>
        {one.name} <span className="kit-quiet">{one.spec}</span>
      </span>
      <span className="kit-quiet">
        {price} · {one.upc} · {t(words.inShops, { count: one.shops })}
      </span>
    </span>
  )
}

/** Picker that finds a product by name or barcode. */
export function EligibleGoodsPicker({
  onPick,
  values,
  id,
  invalid,
  placeholder,
}: {
  onPick: (one: CampaignGood) => void
  values: Record<string, unknown>
  id: string
  invalid?: boolean
  placeholder: string
}) {
  const t = useLocalize()
  const [text, setText] = useState('')
  const { data = [], isFetching } = useEligibleGoods({ key: useDebouncedValue(text), ...toCampaignScopeParams(values) })
  return (
    <Select
      id={id}
      className="kit-fill"
      value={null}
      status={invalid ? 'error' : undefined}
      placeholder={placeholder}
      loading={isFetching}
      showSearch={{ filterOption: false, onSearch: setText }}
      options={data.map((one) => ({ value: one.id, label: one.name, one }))}
      optionRender={({ data: option }) => <Line one={option.one} />}
      onChange={(_next, option) => onPick((option as unknown as { one: CampaignGood }).one)}
      notFoundContent={t(isFetching ? kit.loading : kit.noMatch)}
    />
  )
}

/** Input for the products an offer applies to, one choice per barcode. */
export function EligibleGoodsInput({
  name,
  field,
  value,
  onChange,
  values,
  id,
  disabled,
  invalid,
  describedBy,
}: InputProps) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const [text, setText] = useState('')
  const [seen, setSeen] = useState<Record<string, string>>({})
  const ids = toReferenceText(value).split(',').filter(Boolean)
  const known = { ...referenceLabelsById(name, field, value, values), ...seen }
  const unknown = ids.filter((one) => !known[one])
  const { data = [], isFetching } = useEligibleGoods({ key: useDebouncedValue(text), ...toCampaignScopeParams(values) })
  const { data: named = [] } = useEligibleGoods(
    unknown.length ? { goodIds: unknown.join(','), tenantId: toReferenceText(values.tenantId) } : undefined,
  )
  const titleOf = (one: string) => known[one] ?? named.find((row) => row.id === one)?.name ?? one

  return (
    <Select
      mode="multiple"
      labelInValue
      id={id}
      className="kit-fill"
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required={isRequired}
      placeholder={t(kit.pickSearch)}
      loading={isFetching}
      maxTagCount="responsive"
      allowClear
      value={ids.map((one) => ({ value: one, label: titleOf(one) }))}
      showSearch={{ filterOption: false, onSearch: setText, autoClearSearchValue: true }}
      options={data.map((one) => ({ value: one.id, label: one.name, one }))}
      optionRender={({ data: option }) => <Line one={option.one} />}
      onChange={(next: { value: string; label: unknown }[]) => {
        setSeen({
          ...seen,
          ...Object.fromEntries(
            next.flatMap(({ value: one }) => data.filter((row) => row.id === one).map((row) => [one, row.name])),
          ),
        })
        onChange(next.map((one) => one.value).join(','))
      }}
      notFoundContent={t(isFetching ? kit.loading : kit.noMatch)}
    />
  )
}
