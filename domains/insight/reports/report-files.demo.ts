import type { Db } from '#kit/server/database/db.ts'
import { reportFile } from './report-file.resource.ts'

const cell = (name: string, row: number, col: number, text: string) =>
  `<cell expand="None" name="${name}" row="${row}" col="${col}"><cell-style font-size="10" align="center" ` +
  `valign="middle"></cell-style><simple-value><![CDATA[${text}]]></simple-value></cell>`

/** Design of a table with a heading and columns, in the format of the report tool. */
const design = (heading: string, columns: readonly string[]) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?><ureport>',
    cell('A1', 1, 1, heading),
    ...columns.map((text, at) => cell(`${String.fromCharCode(65 + at)}2`, 2, at + 1, text)),
    ...[1, 2].map((row) => `<row row-number="${row}" height="18"/>`),
    ...columns.map((_text, at) => `<column col-number="${at + 1}" width="90"/>`),
    '<paper type="A4" left-margin="90" right-margin="90" top-margin="72" bottom-margin="72" ' +
      'paging-mode="fitpage" fixrows="0" width="595" height="842" orientation="portrait"></paper>',
    '</ureport>',
  ].join('\n')

const REPORTS = [
  { name: '门店日报.ureport.xml', heading: '门店日报', columns: ['日期', '门店', '订单数', '销售额', '退款'] },
  { name: '月末盘点表.ureport.xml', heading: '月末盘点表', columns: ['商品', '条码', '应有', '实盘', '差异'] },
]

/** Seeds two report designs of the platform. */
export async function seedReportFiles(db: Db): Promise<void> {
  for (const { name, heading, columns } of REPORTS)
    await db.insert(reportFile, { name, content: design(heading, columns) })
}
