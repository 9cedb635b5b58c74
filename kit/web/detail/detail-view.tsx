import type { Field } from '#kit/fields/base/field-kind.ts'
import { isReferenceField, isWriteOnlyField } from '#kit/fields/kinds.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import { baseFields, valueLabelKeyOf, type Resource } from '#kit/resource/define-resource.ts'
import { FieldCell, type CellOverrides } from '../row/field-cell.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { groupFields } from '../row/groups.ts'
import { usePersonalDataReveal } from './open-personal.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'

const isInDetail = ([, field]: [string, Field]) => field.detail !== false && !isWriteOnlyField(field)

type Facts = {
  resource: Resource<any, any>
  row: UntypedRow
  cells?: CellOverrides
  isShown?: (entry: [string, Field]) => boolean
}

function Groups({ resource, row, cells, isShown = isInDetail }: Facts) {
  const t = useLocalize()
  return groupFields(Object.entries(resource.fields as Record<string, Field>).filter(isShown)).map(
    ({ title, entries }, index) => (
      <section key={title?.zh ?? index}>
        {title && <h3>{t(title)}</h3>}
        <dl className="kit-facts">
          {entries.map(([key, field]) => (
            <Fact key={key} label={t(field.label)} wide={webFieldKindOf(field).wide}>
              <FieldCell name={key} field={field} row={row} place="detail" cells={cells} />
            </Fact>
          ))}
        </dl>
      </section>
    ),
  )
}

const isOwn = ([, field]: [string, Field]) => !!field.own

/** Lists the custom fields of a tenant, for pages that list the other fields by themselves. */
export function CustomFieldFacts({ resource, row }: { resource: Resource<any, any>; row: UntypedRow }) {
  if (!Object.entries(resource.fields as Record<string, Field>).some(isOwn)) return null
  return (
    <div className="kit-detail">
      <Groups resource={resource} row={row} isShown={isOwn} />
    </div>
  )
}

/** Lists the fields of a row by group, and who wrote it when. */
export function DetailView({
  resource,
  row: given,
  cells,
}: {
  resource: Resource<any, any>
  row: UntypedRow
  cells?: CellOverrides
}) {
  const t = useLocalize()
  const { row, bar } = usePersonalDataReveal(resource, given)
  return (
    <div className="kit-detail">
      {bar}
      <Groups resource={resource} row={row} cells={cells} />
      <section>
        <h3>{t(words.records)}</h3>
        <dl className="kit-facts">
          {(['id', 'createUser', 'createTime', 'updateUser', 'updateTime'] as const)
            .filter((key) => row[key])
            .map((key) => {
              const field = baseFields[key]
              const name = row[valueLabelKeyOf(key, field)] ?? row[`${key}Name`]
              return (
                <Fact key={key} label={t(field.label)}>
                  {isReferenceField(field) && key !== 'id' ? (
                    String(name || (String(row[key]) === '0' ? t(words.system) : row[key]))
                  ) : (
                    <FieldCell name={key} field={field} row={row} place="detail" cells={cells} />
                  )}
                </Fact>
              )
            })}
        </dl>
      </section>
    </div>
  )
}

const Fact = ({ label, wide, children }: { label: string; wide?: boolean; children: React.ReactNode }) => (
  <div className={wide ? 'kit-fact kit-fact-wide' : 'kit-fact'}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
