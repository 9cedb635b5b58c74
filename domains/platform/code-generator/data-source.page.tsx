import { useState } from 'react'
import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useActionRunner } from '#kit/web/row/run-action.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { dataSource } from './data-source.resource.ts'
import { TablesPanel } from './tables.panel.tsx'

type Row = WireRow<typeof dataSource>

const words = {
  intro: {
    zh: '只读连接外部数据库，读取表结构用于建模；产品自己的数据不在这里',
    en: 'Read-only connections to external databases for modeling. Your product data is not stored here.',
  },
  test: dataSource.permissions.test!,
  tested: {
    zh: '连接成功，{tables} 张表，{millis} 毫秒',
    en: 'Connected: {tables} {tables|table|tables}, {millis} ms',
  },
  tables: { zh: '查看表', en: 'View tables' },
}

function Where({ row }: CellProps<Row>) {
  return (
    <span className="kit-mono">
      {String(row.host)}:{String(row.port)}
    </span>
  )
}

const cells = { host: (props: CellProps<Row>) => <Where {...props} /> }

/** Lists external databases, with connection test and table browser. */
export default function DataSourcePage() {
  useLocalize()
  const [looking, setLooking] = useState<Row>()
  const { run, running } = useActionRunner(dataSource)
  const may = { test: useHasPermission('datasource_test'), tables: useHasPermission('model_view') }
  return (
    <>
      <ResourcePage
        resource={dataSource}
        page={{
          intro: words.intro,
          cells,
          rowActions: (row, list) => [
            ...(may.test
              ? [
                  {
                    key: 'test',
                    label: words.test,
                    icon: 'api' as const,
                    disabled: running,
                    run: () =>
                      void run(() => apiPost(`${dataSource.path}/test`, { query: { id: row.id } }), words.tested)
                        .catch(() => {})
                        .finally(list.refetch),
                  },
                ]
              : []),
            ...(may.tables
              ? [{ key: 'tables', label: words.tables, icon: 'table' as const, run: () => setLooking(row) }]
              : []),
          ],
        }}
      />
      {looking && <TablesPanel source={looking} onClose={() => setLooking(undefined)} />}
    </>
  )
}
