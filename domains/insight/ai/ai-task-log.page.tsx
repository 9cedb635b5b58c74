import type { CellProps } from '#kit/fields/web-kind.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { aiTaskLog } from './ai-task.resource.ts'
import { AiRunPanel } from './run-panel.tsx'

type Row = WireRow<typeof aiTaskLog>

const words = { steps: { zh: '{step}（第 {n} 步）', en: '{step} (step {n})' } }

/** Cell with the current step of a run; empty once it has ended. */
function StepCell({ row, place }: CellProps<Row>) {
  const t = useLocalize()
  if (!row.step) return place === 'detail' ? <span className="kit-quiet">—</span> : null
  return <span className="kit-line">{t(words.steps, { step: row.step, n: Math.max(0, Number(row.steps)) + 1 })}</span>
}

export default createResourcePage(aiTaskLog, {
  intro: {
    zh: '每次运行看了什么、发现了什么、花了多少；运行中的可以停止',
    en: 'What each run looked at, found and cost. A running one can be stopped.',
  },
  cells: { step: StepCell },
  beside: (row) => <AiRunPanel row={row} />,
})
