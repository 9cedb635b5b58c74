import type { CellProps } from '#kit/fields/web-kind.ts'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { storageLog } from './storage-log.resource.ts'
import './stock.css'

const words = {
  intro: {
    zh: '库存每一次变动的记录，由系统写入，不能修改；要更正请在商品页盘点或报损',
    en:
      'Every stock movement. Written by the system and read-only. To correct stock, count it or write ' +
      'it off on the product page.',
  },
}

const ChangeCell = ({ value }: CellProps) => (
  <strong className={`kit-number ${Number(value) > 0 ? 'kit-yes' : ''}`}>
    {Number(value) > 0 ? `+${String(value)}` : `−${String(-Number(value))}`}
  </strong>
)

const resource = {
  ...storageLog,
  fields: { ...storageLog.fields, change: { ...storageLog.fields.change, width: 100 } },
  list: {
    ...storageLog.list,
    columns: [
      'goodId',
      'type',
      'change',
      'before',
      'after',
      'createTime',
      'shopId',
      'batchId',
      'refType',
      'operator',
      'upc',
    ],
  },
}

/** Read-only list of the stock ledger. */
export default createResourcePage(resource, {
  intro: words.intro,
  cells: { change: (props: CellProps) => <ChangeCell {...props} /> },
})
