import { Segmented, Select } from 'antd'
import { lazy, Suspense } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { homeWords as words } from './home-words.ts'
import { DAY_SPAN_PRESETS, type ComparedDaySpan } from './span.ts'

const RangeChoice = lazy(() => import('./range.panel.tsx'))

/** Choice of one shop or all; hidden for people with a single shop. */
export function ShopChoice({
  shops,
  value,
  onChange,
}: {
  shops: { id: string; shopName: string }[]
  value: string
  onChange: (id: string) => void
}) {
  const t = useLocalize()
  if (shops.length < 2) return null
  return (
    <Select
      className="home-shop-choice"
      value={value}
      aria-label={t(words.shop)}
      onChange={onChange}
      showSearch={{ optionFilterProp: 'label' }}
      options={[
        { value: '', label: t(words.allShops) },
        ...shops.map((shop) => ({ value: shop.id, label: shop.shopName })),
      ]}
    />
  )
}

/** Choice of the days: a preset, or any two dates. */
export function SpanChoice({ span, onChange }: { span: ComparedDaySpan; onChange: (key: string) => void }) {
  const t = useLocalize()
  const isCustom = !DAY_SPAN_PRESETS.includes(span.key as never)
  return (
    <div className="home-span">
      <Segmented
        value={isCustom ? 'custom' : span.key}
        onChange={(key) => onChange(key === 'custom' ? `${span.from}~${span.to}` : String(key))}
        options={[
          ...DAY_SPAN_PRESETS.map((key) => ({ value: key as string, label: t(words[`span_${key}`]) })),
          { value: 'custom', label: t(words.span_custom) },
        ]}
      />
      {isCustom && (
        <Suspense fallback={null}>
          <RangeChoice from={span.from} to={span.to} onChange={onChange} />
        </Suspense>
      )}
    </div>
  )
}
