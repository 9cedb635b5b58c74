import { Button } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import ConfirmDialog from '#kit/web/parts/confirm-dialog.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { apiDownload, apiPost } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { EmptyStateNote } from '#kit/web/parts/states.tsx'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { RegionForm } from './region-form.panel.tsx'
import { RegionTree, useRegionTree } from './region-tree.panel.tsx'
import { COUNTRY_REGION_CODE, type RegionFormTarget } from './use-region-form.tsx'
import { REGION_DATA_SOURCE } from './region-source.ts'
import { region } from './region.resource.ts'
import '#kit/web/base/kit.css'
import './region.css'

const ImportDialog = lazy(() => import('#kit/web/list/import-dialog.tsx'))

const words = {
  intro: {
    zh: '省、市、区县；地址、门店和配送范围以此为准',
    en: 'Provinces, cities and districts. Addresses, stores and delivery areas are based on them.',
  },
  source: { zh: '数据来源：{name}，截至 {asOf}', en: 'Source: {name}, as of {asOf}' },
  import: { zh: '导入', en: 'Import' },
  importTitle: { zh: '导入行政区划', en: 'Import regions' },
  cover: { zh: '编号相同的区划会被更新', en: 'Regions with the same code are updated' },
  choose: { zh: '请选择一个区划', en: 'Select a region' },
  chooseHint: { zh: '查看和修改它，或在它下面新增。', en: 'View and edit it, or add a region below it.' },
  remove: { zh: '删除', en: 'Delete' },
}

/** Shows the region tree and the form of the chosen region. */
export default function RegionPage() {
  const t = useLocalize()
  const tree = useRegionTree()
  const [place, setPlace] = useState<RegionFormTarget>()
  const edit = (code: string | undefined) => setPlace(code === undefined ? undefined : { kind: 'edit', code })
  const [importing, setImporting] = useState(false)
  const [removing, setRemoving] = useState<Removed>()
  const form = useRef<HTMLElement>(null)
  const isNarrow = useScreenSize() < 2

  useEffect(() => {
    // Scrolls to the form when it is below the tree, out of sight.
    if (place && isNarrow) form.current?.scrollIntoView({ block: 'start' })
  }, [place, isNarrow])

  return (
    <div className="kit-page">
      <Title />
      <div className="kit-with-panel region-pair">
        <aside className="kit-panel">
          <RegionTree tree={tree} value={place?.code ?? ''} onChange={edit} />
        </aside>
        <section className="kit-list" ref={form}>
          <Toolbar
            place={place}
            onAdd={(code) => setPlace({ kind: 'add', code })}
            onImport={() => setImporting(true)}
          />
          {place ? (
            <RegionForm
              key={`${place.kind}:${place.code}`}
              place={place}
              onSaved={({ code, parentCode }) => {
                void tree.reload(parentCode)
                edit(code)
              }}
              onCancel={() => edit(place.code === COUNTRY_REGION_CODE ? undefined : place.code)}
              onRemove={setRemoving}
            />
          ) : (
            <EmptyStateNote icon="global" title={t(words.choose)} hint={t(words.chooseHint)} />
          )}
        </section>
      </div>
      {importing && <ImportRegions onDone={() => void tree.reload()} onClose={() => setImporting(false)} />}
      {removing && (
        <RemoveRegion
          removed={removing}
          onClose={(isDone) => {
            setRemoving(undefined)
            if (!isDone) return
            void tree.reload(removing.parentCode)
            edit(removing.parentCode === COUNTRY_REGION_CODE ? undefined : removing.parentCode)
          }}
        />
      )}
    </div>
  )
}

function Title() {
  const t = useLocalize()
  return (
    <header className="kit-title">
      <h1>{t(region.label)}</h1>
      <p>{t(words.intro)}</p>
      <p>{t(words.source, { name: t(REGION_DATA_SOURCE.name), asOf: REGION_DATA_SOURCE.asOf })}</p>
    </header>
  )
}

type ToolbarProps = { place: RegionFormTarget | undefined; onAdd: (below: string) => void; onImport: () => void }

function Toolbar({ place, onAdd, onImport }: ToolbarProps) {
  const t = useLocalize()
  const may = useResourcePermissions(region)
  const mayImport = useHasPermission('region_import')
  const mayExport = useHasPermission('region_export')
  const [isExporting, setExporting] = useState(false)
  const exportAll = async () => {
    setExporting(true)
    await apiDownload(`${region.path}/export-region`).catch(() => {})
    setExporting(false)
  }
  return (
    <div className="kit-toolbar" role="toolbar" aria-label={t(region.label)}>
      {may.add && (
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => onAdd(place?.code ?? COUNTRY_REGION_CODE)}>
          {t(place && place.code !== COUNTRY_REGION_CODE ? kit.addBelow : kit.add)}
        </Button>
      )}
      {mayImport && (
        <Button icon={<Icon name="import" />} onClick={onImport}>
          {t(words.import)}
        </Button>
      )}
      <span className="kit-grow" />
      {mayExport && (
        <Button icon={<Icon name="download" />} loading={isExporting} onClick={() => void exportAll()}>
          {t(kit.export)}
        </Button>
      )}
    </div>
  )
}

const ImportRegions = ({ onDone, onClose }: { onDone: () => void; onClose: () => void }) => (
  <Suspense>
    <ImportDialog
      title={words.importTitle}
      path={`${region.path}/import-region`}
      template={`${region.path}/export-template`}
      cover={words.cover}
      onClose={(isDone) => {
        onClose()
        if (isDone) onDone()
      }}
    />
  </Suspense>
)

type Removed = { code: string; name: string; parentCode: string }

function RemoveRegion({ removed: { code, name }, onClose }: { removed: Removed; onClose: (isDone?: boolean) => void }) {
  const t = useLocalize()
  return (
    <ConfirmDialog
      title={words.remove}
      text={t(kit.confirmRemove)}
      names={[`${name} (${code})`]}
      danger
      success={kit.removed}
      run={() => apiPost(`${region.path}/remove`, { query: { id: code } })}
      onClose={onClose}
    />
  )
}
