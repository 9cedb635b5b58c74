import { useQuery } from '@tanstack/react-query'
import { Button, Input, Table } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { WireRow } from '#kit/resource/index.ts'
import { Drawer } from '#kit/web/parts/drawer.tsx'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { toCamelCase, legacyClassName, labelFromComment, toEnglishLabel } from './columns.ts'
import type { dataSource } from './data-source.resource.ts'
import { model } from './model.resource.ts'
import type { ModelColumn } from './part.ts'
import './develop.css'

const words = {
  title: { zh: '数据表', en: 'Tables' },
  find: { zh: '按表名或注释查找', en: 'Search by name or comment' },
  none: { zh: '没有表', en: 'No tables' },
  failed: { zh: '没有读到表', en: 'The tables could not be loaded' },
  make: { zh: '建模', en: 'Create model' },
  column: { zh: '列', en: 'Column' },
  type: { zh: '类型', en: 'Type' },
  comment: { zh: '注释', en: 'Comment' },
  table: { zh: '表', en: 'Table' },
}

type TableOffer = { name: string; comment: string; entityName: string }

/** Loads the tables of a data source. */
export const useDataSourceTables = (datasourceId: string) =>
  useQuery({
    queryKey: ['develop', 'tables', datasourceId],
    queryFn: ({ signal }) =>
      apiGet<TableOffer[]>(`${model.path}/table-list`, { datasourceId }, { quiet: true, signal }),
    enabled: datasourceId !== '' && datasourceId !== '-1',
    retry: false,
    staleTime: 30_000,
  })

type Source = WireRow<typeof dataSource>

/** Shows the tables of an external database; a model can be made from each. */
export function TablesPanel({ source, onClose }: { source: Source; onClose: () => void }) {
  const t = useLocalize()
  const { error, refetch } = useDataSourceTables(String(source.id))
  return (
    <Drawer
      open
      size={720}
      className="kit-drawer"
      onClose={onClose}
      title={
        <span className="kit-drawer-title">
          <span className="kit-quiet">{t(words.title)}</span> {String(source.name)}
        </span>
      }
    >
      {error ? (
        <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
      ) : (
        <Tables source={source} onClose={onClose} />
      )}
    </Drawer>
  )
}

/** Creates a model of a table and opens its columns. */
function useMaking(source: Source, onClose: () => void) {
  const go = useNavigate()
  const [making, setMaking] = useState('')
  const make = async ({ name, comment }: TableOffer) => {
    setMaking(name)
    try {
      const { id } = await apiPost<{ id: string }>(`${model.path}/submit`, { body: modelFrom(source, name, comment) })
      onClose()
      await go(`/tool/model/${id}`)
    } catch {
      // Shown as a toast.
    } finally {
      setMaking('')
    }
  }
  return { making, make }
}

function Tables({ source, onClose }: { source: Source; onClose: () => void }) {
  const t = useLocalize()
  const mayMake = useHasPermission('model_add')
  const [text, setText] = useState('')
  const { making, make } = useMaking(source, onClose)
  const { data = [], isPending } = useDataSourceTables(String(source.id))
  const shown = data.filter(({ comment }) => comment.toLowerCase().includes(text.trim().toLowerCase()))

  return (
    <>
      <Input.Search
        className="develop-find"
        allowClear
        placeholder={t(words.find)}
        aria-label={t(words.find)}
        onChange={(event) => setText(event.target.value)}
      />
      <Table
        size="small"
        rowKey="name"
        loading={isPending}
        dataSource={shown}
        pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
        locale={{ emptyText: isPending ? ' ' : <EmptyStateNote icon="table" title={t(words.none)} /> }}
        expandable={{ expandedRowRender: (row) => <Columns source={source} table={row.name} /> }}
        columns={[
          { title: t(words.table), dataIndex: 'name', render: (name: string) => <code>{name}</code> },
          {
            title: t(words.comment),
            dataIndex: 'comment',
            render: (comment: string, row) => (comment === row.name ? '—' : comment.slice(row.name.length + 1)),
          },
          {
            title: '',
            width: 110,
            render: (_none, row) =>
              mayMake && (
                <Button type="link" size="small" loading={making === row.name} onClick={() => void make(row)}>
                  {t(words.make)}
                </Button>
              ),
          },
        ]}
      />
    </>
  )
}

/** Returns a new model's names, proposed from the table; the user can change them. */
function modelFrom(source: Source, name: string, comment: string) {
  const title = comment === name ? '' : labelFromComment(comment.slice(name.length + 1))
  return {
    datasourceId: source.id,
    modelTable: name,
    modelName: title || toEnglishLabel(name),
    modelNameEn: toEnglishLabel(name),
    modelCode: toCamelCase(name) || 'model',
    modelClass: legacyClassName(name),
  }
}

type TableInfo = { fields: ModelColumn[] }

function Columns({ source, table }: { source: Source; table: string }) {
  const t = useLocalize()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['develop', 'table', source.id, table],
    queryFn: ({ signal }) =>
      apiGet<TableInfo>(
        `${model.path}/table-info`,
        { datasourceId: source.id, tableName: table },
        { quiet: true, signal },
      ),
    retry: false,
  })
  if (error) return <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
  return (
    <Table
      size="small"
      rowKey="jdbcName"
      loading={isPending}
      dataSource={data?.fields ?? []}
      pagination={false}
      columns={[
        { title: t(words.column), dataIndex: 'jdbcName', render: (name: string) => <code>{name}</code> },
        { title: t(words.type), dataIndex: 'jdbcType' },
        { title: t(words.comment), dataIndex: 'comment' },
      ]}
    />
  )
}
