import { Button } from 'antd'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { totalCountText, type TablePaging } from './table-props.ts'

/** Pager with large buttons for phones: previous, current page, next. */
export function Pager(paging: TablePaging) {
  const t = useLocalize()
  const { current, size, total, onChange } = paging
  const pages = Math.max(1, Math.ceil(total / size))
  const go = (page: number) => {
    onChange(page, size)
    document.querySelector('.kit-list-rows')?.scrollIntoView({ block: 'start' })
  }
  return (
    <nav className="kit-card-paging">
      <Button size="large" disabled={current <= 1} onClick={() => go(current - 1)}>
        {t(words.previousPage)}
      </Button>
      <span>
        {t(words.pageOf, { current, pages })}
        <br />
        <span className="kit-quiet">{totalCountText(paging, t)}</span>
      </span>
      <Button size="large" disabled={current >= pages} onClick={() => go(current + 1)}>
        {t(words.nextPage)}
      </Button>
    </nav>
  )
}
