import { Button } from 'antd'
import { useState } from 'react'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { Sheet } from '../parts/sheet.tsx'
import { shanghaiDayOf } from '../parts/when-words.ts'
import { findPeriod, periodBounds, PERIODS, type Period } from './periods.ts'

type Props = {
  title: string
  from: string
  to: string
  isOpen: boolean
  onChange: (from: string, to: string) => void
  onClose: () => void
}

/** Sheet that chooses the days of a list: usual periods at one touch, or a first and a last day. */
export default function DateSheet(props: Props) {
  return (
    <Sheet title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <Days {...props} />
    </Sheet>
  )
}

function Days({ from, to, onChange, onClose }: Props) {
  const t = useLocalize()
  const [own, setOwn] = useState({ from, to })
  const chosen = findPeriod(from, to)
  const today = shanghaiDayOf()
  const choose = (next: { from: string; to: string }) => {
    onChange(next.from, next.to)
    onClose()
  }
  const isUsable = !!own.from && !!own.to && own.from <= own.to
  return (
    <div className="kit-date-sheet">
      <div className="kit-choice-chips">
        <button type="button" aria-pressed={!from && !to} onClick={() => choose({ from: '', to: '' })}>
          {t(words.all)}
        </button>
        {PERIODS.map((period: Period) => (
          <button
            key={period}
            type="button"
            aria-pressed={chosen === period}
            onClick={() => choose(periodBounds(period))}
          >
            {t(words[period])}
          </button>
        ))}
      </div>
      <div className="kit-date-own">
        <input
          type="date"
          aria-label={t(words.firstDay)}
          max={today}
          value={own.from}
          onChange={(event) => setOwn({ ...own, from: event.target.value })}
        />
        <span>{t(words.to)}</span>
        <input
          type="date"
          aria-label={t(words.lastDay)}
          max={today}
          value={own.to}
          onChange={(event) => setOwn({ ...own, to: event.target.value })}
        />
      </div>
      <Button type="primary" size="large" block disabled={!isUsable} onClick={() => choose(own)}>
        {isUsable ? t(words.showDays, { from: own.from.slice(5), to: own.to.slice(5) }) : t(words.chooseDays)}
      </Button>
    </div>
  )
}
