import { Link } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { GUARD_CASE_STATE } from './dictionaries.ts'
import { durationText } from './duration-text.ts'
import { guardCase } from './guard-case.resource.ts'

type Row = WireRow<typeof guardCase>

const words = { toDesk: { zh: '去处理', en: 'Open in security desk' } }

/** Cell with a number of seconds as on the security desk, "3 min"; a dash if empty. */
function SecondsCell({ value }: CellProps<Row>) {
  const t = useLocalize()
  if (value === '' || value === undefined || value === null) return <span className="kit-quiet">—</span>
  return <span className="kit-number">{t(durationText(Number(value)))}</span>
}

export default createResourcePage(guardCase, {
  intro: {
    zh: '门店里需要人看的每一件事：谁接手、多快响应、结果如何',
    en: 'Everything in the stores that needed a person: who took it, how fast and with what outcome',
  },
  cells: {
    answerSeconds: (props: CellProps<Row>) => <SecondsCell {...props} />,
    lastedSeconds: (props: CellProps<Row>) => <SecondsCell {...props} />,
  },
  beside: (row) => <ToDesk row={row} />,
})

function ToDesk({ row }: { row: Row }) {
  const t = useLocalize()
  if (Number(row.status) >= GUARD_CASE_STATE.done) return null
  return <Link to={`/guard/desk?case=${String(row.id)}`}>{t(words.toDesk)}</Link>
}
