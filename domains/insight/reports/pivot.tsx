import { Table, type TableColumnsType } from 'antd'
import { Link } from 'react-router'
import { drillDownFilter, type ReportCell } from '#kit/resource/report-query.ts'
import type { ReportResult, ReportFigure } from '#kit/resource/answer.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { ReportFigureChange, formatReportFigure } from './figures.tsx'
import { words } from './report-words.ts'
import type { ReportableResource } from './use-report.ts'

type Line = { key: number }
type Pivot = { answer: ReportResult; family: ReportableResource }
type PivotCell = Omit<ReportCell, 'measure'> & { at: number; now?: ReportFigure; before?: ReportFigure }

const PAGE = 50

/** Hook that returns the URL of the list with the rows behind a figure; undefined without permission. */
function useOpener({ answer, family }: Pivot) {
  const path = useResourcePath(family.resource.code)
  return (cell: ReportCell): string | undefined =>
    path && `${path}?${new URLSearchParams(drillDownFilter(family.resource, answer.question, answer, cell)).toString()}`
}

export function PivotFigureCell({ answer, family, place }: Pivot & { place: PivotCell }) {
  const t = useLocalize()
  const open = useOpener({ answer, family })
  const { at, now, before, ...cell } = place
  const { key, unit, more } = answer.measures[at]!
  const to = Number(now ?? 0) !== 0 ? open({ ...cell, measure: key }) : undefined
  const text = formatReportFigure(now, unit)
  return (
    <span className="report-figure">
      {to ? (
        <Link to={to} title={t(words.opens)}>
          {text}
        </Link>
      ) : (
        <span className="kit-quiet">{text}</span>
      )}
      {answer.compared && <ReportFigureChange now={now} before={before} unit={unit} more={more} />}
    </span>
  )
}

/** Table of the figures by rows and columns, with totals. */
export function PivotTable({ answer, family }: Pivot) {
  const t = useLocalize()
  const rows = answer.rows.map((_row, key): Line => ({ key }))
  const columns = useColumns({ answer, family })
  return (
    <Table<Line>
      className="report-pivot"
      size="small"
      bordered
      rowKey="key"
      dataSource={rows}
      columns={columns}
      scroll={{ x: 'max-content' }}
      pagination={rows.length > PAGE ? { pageSize: PAGE, showSizeChanger: false, size: 'small' } : false}
      summary={
        answer.rowHeads.length ? () => <TotalRow answer={answer} family={family} label={t(words.total)} /> : undefined
      }
    />
  )
}

function useColumns({ answer, family }: Pivot): TableColumnsType<Line> {
  const t = useLocalize()
  const many = answer.measures.length
  const isWide = answer.columnHeads.length > 0
  const figure =
    (column: number, at: number) =>
    ({ key }: Line) => {
      const isTotal = column < 0
      const of = (all: ReportResult | ReportResult['compared']) =>
        isTotal ? all?.byRow[key]?.[at] : all?.cells[key]?.[column * many + at]
      const place = {
        rows: answer.rows[key]!.places,
        columns: isTotal ? [] : answer.columns[column]!.places,
        at,
        now: of(answer),
        before: of(answer.compared),
      }
      return <PivotFigureCell answer={answer} family={family} place={place} />
    }
  const measures = (column: number) =>
    answer.measures.map(({ label, help }, at) => ({
      key: `${column}/${at}`,
      title: <span data-tip={help || undefined}>{label}</span>,
      align: 'right' as const,
      render: (_none: unknown, line: Line) => figure(column, at)(line),
    }))
  const heads = answer.rowHeads.map((title, at) => ({
    key: `head${at}`,
    title,
    fixed: at === 0 ? ('start' as const) : undefined,
    render: (_none: unknown, { key }: Line) => answer.rows[key]!.words[at],
  }))
  if (!isWide) return [...heads, ...measures(0)]
  const titled = (title: string, column: number) =>
    many > 1 ? { key: `c${column}`, title, children: measures(column) } : { ...measures(column)[0]!, title }
  return [
    ...heads,
    ...answer.columns.map(({ words: labels }, column) => titled(labels.join(' · '), column)),
    titled(t(words.total), -1),
  ]
}

function TotalRow({ answer, family, label }: Pivot & { label: string }) {
  const many = answer.measures.length
  const isWide = answer.columnHeads.length > 0
  const heads = answer.rowHeads.length
  const places = [
    ...answer.columns.flatMap(({ places: columns }, column) =>
      answer.measures.map((_one, at) => ({
        rows: [],
        columns,
        at,
        now: answer.byColumn[column * many + at],
        before: answer.compared?.byColumn[column * many + at],
      })),
    ),
    ...(isWide
      ? answer.measures.map((_one, at) => ({
          rows: [],
          columns: [],
          at,
          now: answer.total[at],
          before: answer.compared?.total[at],
        }))
      : []),
  ]
  return (
    <Table.Summary.Row className="report-total">
      <Table.Summary.Cell index={0} colSpan={heads}>
        {label}
      </Table.Summary.Cell>
      {places.map((place, index) => (
        <Table.Summary.Cell key={index} index={heads + index} align="right">
          <PivotFigureCell answer={answer} family={family} place={place} />
        </Table.Summary.Cell>
      ))}
    </Table.Summary.Row>
  )
}
