import { Button, Tag } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { WireRow } from '#kit/resource/index.ts'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { useReportUnsavedWork } from '#kit/web/base/unsaved.ts'
import { useLanguage, useLocalize, type Lang } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { useTab, useTabTitle } from '#kit/web/base/tab.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { ModelColumnForm } from './column.panel.tsx'
import { toEnglishLabel } from './columns.ts'
import { createResourceDesign } from './design.ts'
import { model } from './model.resource.ts'
import { GeneratedCodePreview } from './preview.panel.tsx'
import type { EditedModelColumn } from './read-again.ts'
import { useModelColumns } from './use-columns.ts'
import '#kit/web/base/kit.css'
import './develop.css'

const words = {
  columns: { zh: '字段', en: 'Fields' },
  preview: { zh: '预览', en: 'Preview' },
  previewHint: { zh: '随字段变化，尚未写入任何文件', en: 'Follows the fields. No file has been written yet.' },
  again: { zh: '重新读表', en: 'Reload table' },
  add: { zh: '添加字段', en: 'Add field' },
  drop: { zh: '删除字段', en: 'Delete field' },
  up: { zh: '上移', en: 'Move up' },
  down: { zh: '下移', en: 'Move down' },
  code: { zh: '去生成代码', en: 'Go to code generator' },
  proposed: { zh: '按表推荐，保存后生效', en: 'Suggested from the table, applied when you save' },
  wrong: { zh: '有误', en: 'Error' },
  gone: { zh: '表中已无', en: 'No longer in table' },
  dropGone: { zh: '移除表中已无的 {count} 列', en: 'Remove {count} {count|column|columns} no longer in the table' },
  none: { zh: '还没有字段', en: 'No fields yet' },
  what: { zh: '模型字段', en: 'Model fields' },
  failed: { zh: '没有读到字段', en: 'The fields could not be loaded' },
}

/** Edits the columns of a model beside a preview of the generated page and files. */
export default function ModelColumnsPage() {
  const { id = '' } = useParams()
  const t = useLocalize()
  const { data: row, error, refetch } = useRowDetail(model, id)
  useTabTitle(row && String(row.modelName))
  if (row) return <Design key={id} row={row} />
  return (
    <div className="kit-page">
      {error ? (
        <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
      ) : (
        <span className="kit-skeleton" />
      )}
    </div>
  )
}

function Design({ row }: { row: WireRow<typeof model> }) {
  const t = useLocalize()
  const columns = useModelColumns(row)
  const { parts, read, wrong } = columns
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, parts.length - 1)
  const refused = wrong?.column

  useEffect(() => {
    if (refused !== undefined) setChosen(refused)
  }, [refused])
  useReportUnsavedWork(columns.isChanged && parts.some(({ id }) => id), t(words.what), useTab().key)
  const designs = useMemo(() => [createResourceDesign({ serviceName: 'preview' }, { model: row, parts })], [row, parts])

  return (
    <div className="kit-page develop-design">
      <Head row={row} columns={columns} onAdd={() => setChosen(parts.length)} />
      {read.error ? (
        <ErrorNote title={t(words.failed)} error={read.error} retry={() => void read.refetch()} />
      ) : parts.length ? (
        <div className="develop-columns">
          <ColumnList parts={parts} at={at} wrong={wrong?.column} onChoose={setChosen} />
          <section className="develop-card">
            <ModelColumnForm
              key={at}
              part={parts[at]!}
              errors={wrong?.column === at ? wrong.fields : {}}
              onChange={(patch) => columns.change(at, patch)}
            />
            <ColumnFoot columns={columns} at={at} onMoved={setChosen} />
          </section>
        </div>
      ) : (
        !read.isPending && <EmptyStateNote icon="profile" title={t(words.none)} />
      )}
      {parts.length > 0 && (
        <section className="develop-card">
          <h2>
            {t(words.preview)} <small className="kit-quiet">{t(words.previewHint)}</small>
          </h2>
          <GeneratedCodePreview designs={designs} />
        </section>
      )}
    </div>
  )
}

type Columns = ReturnType<typeof useModelColumns>

function Head({ row, columns, onAdd }: { row: WireRow<typeof model>; columns: Columns; onAdd: () => void }) {
  const t = useLocalize()
  const go = useNavigate()
  const mayEdit = useHasPermission('model_edit')
  const isOfTable =
    String(row.modelTable) !== '' && String(row.datasourceId) !== '-1' && String(row.datasourceId) !== ''
  const gone = columns.parts.filter(({ isGone }) => isGone).length

  const add = () => {
    columns.add()
    onAdd()
  }

  return (
    <header className="develop-card develop-head">
      <div>
        <h1>{String(row.modelName)}</h1>
        <p className="kit-quiet">
          <code>{String(row.modelCode)}</code>
          {isOfTable && ` · ${String(row.datasourceName)} / ${String(row.modelTable)}`}
        </p>
        {columns.isProposed && <Tag color="processing">{t(words.proposed)}</Tag>}
      </div>
      <div className="develop-buttons">
        <Button onClick={() => void go(`/tool/code?modelId=${row.id}`)}>{t(words.code)}</Button>
        {mayEdit && isOfTable && (
          <Button loading={columns.isBusy} icon={<Icon name="reload" />} onClick={() => void columns.again()}>
            {t(words.again)}
          </Button>
        )}
        {mayEdit && gone > 0 && (
          <Button danger onClick={columns.dropGone}>
            {t(words.dropGone, { count: gone })}
          </Button>
        )}
        {mayEdit && (
          <Button icon={<Icon name="plus" />} onClick={add}>
            {t(words.add)}
          </Button>
        )}
        {mayEdit && (
          <Button
            type="primary"
            loading={columns.isBusy}
            disabled={!columns.isChanged}
            onClick={() => void columns.save()}
          >
            {t(kit.save)}
          </Button>
        )}
      </div>
    </header>
  )
}

type ListProps = { parts: readonly EditedModelColumn[]; at: number; wrong?: number; onChoose: (at: number) => void }

const nameOf = ({ labelZh, labelEn, jdbcName, propertyName }: EditedModelColumn, language: Lang): string =>
  (language === 'en' ? labelEn || toEnglishLabel(jdbcName || propertyName || '?') : labelZh || labelEn) ||
  toEnglishLabel(jdbcName || propertyName || '?')

function ColumnList({ parts, at, wrong, onChoose }: ListProps) {
  const t = useLocalize()
  const language = useLanguage()
  return (
    <ul className="develop-card develop-list" aria-label={t(words.columns)}>
      {parts.map((part, place) => (
        <li key={part.id ?? `${place}-${part.jdbcName}`}>
          <button type="button" aria-current={place === at} onClick={() => onChoose(place)}>
            <span>
              {nameOf(part, language)}
              <code className="kit-quiet">{part.jdbcName}</code>
            </span>
            {place === wrong ? (
              <Tag color="error">{t(words.wrong)}</Tag>
            ) : part.isGone ? (
              <Tag color="warning">{t(words.gone)}</Tag>
            ) : (
              <DictTag code="field_kind" value={part.fieldKind || 'text'} />
            )}
          </button>
        </li>
      ))}
    </ul>
  )
}

function ColumnFoot({ columns, at, onMoved }: { columns: Columns; at: number; onMoved: (at: number) => void }) {
  const t = useLocalize()
  const move = (by: -1 | 1) => {
    columns.move(at, by)
    onMoved(at + by)
  }
  return (
    <div className="develop-foot">
      <Button size="small" disabled={at === 0} onClick={() => move(-1)}>
        {t(words.up)}
      </Button>
      <Button size="small" disabled={at >= columns.parts.length - 1} onClick={() => move(1)}>
        {t(words.down)}
      </Button>
      <Button size="small" danger onClick={() => columns.drop(at)}>
        {t(words.drop)}
      </Button>
    </div>
  )
}
