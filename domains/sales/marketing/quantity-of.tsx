import { InputNumber } from 'antd'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import './marketing.css'

const words = {
  count: { zh: '{name} 数量', en: '{name} quantity' },
} satisfies Record<string, LocalizedText>

type Props = { name: string; value: number; onChange: (quantity: number) => void }

/** Input for the pieces of a product in a bundle or basket. */
export function BasketQuantityInput({ name, value, onChange }: Props) {
  const t = useLocalize()
  return (
    <InputNumber
      min={1}
      max={99}
      precision={0}
      inputMode="numeric"
      value={value}
      aria-label={t(words.count, { name })}
      onChange={(quantity) => onChange(quantity ?? 1)}
    />
  )
}
