import { Input, Space } from 'antd'
import { useEffect, useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'

type Props = { id: string; from: string; to: string; onChange: (from: string, to: string) => void }

/** Lower and upper bound of a number, amount or percentage. */
export function NumberRangeFilter({ id, from, to, onChange }: Props) {
  const t = useLocalize()
  const [bounds, setBounds] = useState({ from, to })
  useEffect(() => setBounds({ from, to }), [from, to])
  const apply = () => (bounds.from !== from || bounds.to !== to) && onChange(bounds.from, bounds.to)
  const box = (side: 'from' | 'to') => (
    <Input
      id={side === 'from' ? id : undefined}
      aria-label={t(words[side])}
      placeholder={t(words[side])}
      inputMode="decimal"
      value={bounds[side]}
      onChange={(event) => setBounds({ ...bounds, [side]: event.target.value.replace(/[^\d.-]/g, '') })}
      onPressEnter={apply}
      onBlur={apply}
    />
  )
  return (
    <Space.Compact className="kit-fill">
      {box('from')}
      {box('to')}
    </Space.Compact>
  )
}
