import { Progress } from 'antd'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import './devices.css'

const words = { megabytes: { zh: '{size} MB', en: '{size} MB' } }

/** Shows to what percentage of the devices a version is offered. */
function RolloutCell({ value, place }: CellProps) {
  const percent = Number(value)
  if (place === 'detail') return <span className="kit-number">{percent}%</span>
  return (
    <span className="version-rollout">
      <span className="kit-number">{percent}%</span>
      <Progress percent={percent} size="small" showInfo={false} aria-label={`${percent}%`} />
    </span>
  )
}

function SizeCell({ value }: CellProps) {
  const t = useLocalize()
  const bytes = Number(value)
  return bytes > 0 ? (
    <span className="kit-number" data-tip={`${bytes.toLocaleString('en')} B`}>
      {t(words.megabytes, { size: (bytes / 1_048_576).toFixed(1) })}
    </span>
  ) : (
    <span className="kit-quiet">—</span>
  )
}

/** Cells that versions of all programs have in common. */
export const programVersionCells = {
  rollout: (props: CellProps) => <RolloutCell {...props} />,
  size: (props: CellProps) => <SizeCell {...props} />,
}
