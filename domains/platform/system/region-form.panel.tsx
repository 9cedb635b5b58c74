import type { WireRow } from '#kit/resource/index.ts'
import { Button, Skeleton } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { FormProblemAlert } from '#kit/web/form/form-problem.tsx'
import { apiGet } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { region } from './region.resource.ts'
import { COUNTRY_REGION_CODE, useRegionForm, type RegionFormTarget } from './use-region-form.tsx'

type Row = WireRow<typeof region>

type Props = {
  place: RegionFormTarget
  onSaved: (saved: { code: string; parentCode: string }) => void
  onCancel: () => void
  onRemove: (row: { code: string; name: string; parentCode: string }) => void
}

const words = {
  below: { zh: '在 {name} 下新增', en: 'Add below {name}' },
  path: { zh: '所属', en: 'Belongs to' },
}

/** Loads the region and shows its form. */
export function RegionForm(props: Props) {
  const t = useLocalize()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['region', language, props.place.code],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () => apiGet<Row>(`${region.path}/detail`, { code: props.place.code }, { quiet: true }),
  })
  if (error && !data) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />
  return <Loaded {...props} row={data} />
}

function Loaded({ place, row, onSaved, onCancel, onRemove }: Props & { row: Row }) {
  const t = useLocalize()
  const may = useResourcePermissions(region)
  const isNew = place.kind === 'add'
  const { form, inputs, parentCode, save, isSaving, problem } = useRegionForm(place, row, onSaved)
  return (
    <form
      className="region-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Head row={row} isNew={isNew} />
      <FormProblemAlert text={problem} />
      <EditForm form={form} inputs={inputs} />
      <footer className="kit-drawer-foot">
        {!isNew && may.remove && row.code !== COUNTRY_REGION_CODE ? (
          <Button
            danger
            icon={<Icon name="delete" />}
            onClick={() => onRemove({ code: String(row.code), name: String(row.name), parentCode })}
          >
            {t(kit.remove)}
          </Button>
        ) : (
          <span />
        )}
        {isNew && <Button onClick={onCancel}>{t(kit.cancel)}</Button>}
        {(isNew ? may.add : may.edit) && (
          <Button type="primary" htmlType="submit" loading={isSaving}>
            {t(kit.save)}
          </Button>
        )}
      </footer>
    </form>
  )
}

function Head({ row, isNew }: { row: Row; isNew: boolean }) {
  const t = useLocalize()
  const depth = Number(row.regionLevel ?? 0)
  const above = [row.provinceName, row.cityName, row.districtName, row.townName]
    .slice(0, isNew ? depth : Math.max(0, depth - 1))
    .filter(Boolean)
    .map(String)
  return (
    <header>
      <h2>{isNew ? t(words.below, { name: String(row.name) }) : String(row.name)}</h2>
      {above.length > 0 && (
        <p className="kit-quiet">
          {t(words.path)} {above.join(' / ')}
        </p>
      )}
    </header>
  )
}
