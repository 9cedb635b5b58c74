import type { Field } from '#kit/fields/field-kind.ts'
import { isReference, isWriteOnly } from '#kit/fields/kinds.ts'
import { webKindOf } from '#kit/fields/web.ts'
import { baseFields, labelKeyOf, type Resource } from '#kit/resource/define-resource.ts'
import { FieldCell, type Cells } from './field-cell.tsx'
import type { Row } from '../form/form-values.ts'
import { grouped } from './groups.ts'
import { useSay } from '../language.tsx'
import { words } from '../page-words.ts'

const isShown = ([, field]: [string, Field]) => field.detail !== false && !isWriteOnly(field)

/** The facts of a row, grouped by meaning, and when and by whom it was written. */
export function DetailView({ resource, row, cells }: { resource: Resource<any, any>; row: Row; cells?: Cells }) {
  const say = useSay()
  return (
    <div className="kit-detail">
      {grouped(Object.entries(resource.fields as Record<string, Field>).filter(isShown)).map(
        ({ title, entries }, index) => (
          <section key={title?.zh ?? index}>
            {title && <h3>{say(title)}</h3>}
            <dl className="kit-facts">
              {entries.map(([key, field]) => (
                <Fact key={key} label={say(field.label)} wide={webKindOf(field).wide}>
                  <FieldCell name={key} field={field} row={row} place="detail" cells={cells} />
                </Fact>
              ))}
            </dl>
          </section>
        ),
      )}
      <section>
        <h3>{say(words.records)}</h3>
        <dl className="kit-facts">
          {(['id', 'createUser', 'createTime', 'updateUser', 'updateTime'] as const)
            .filter((key) => row[key])
            .map((key) => {
              const field = baseFields[key]
              const name = row[labelKeyOf(key, field)] ?? row[`${key}Name`]
              return (
                <Fact key={key} label={say(field.label)}>
                  {isReference(field) && key !== 'id' ? (
                    String(name || (String(row[key]) === '0' ? say(words.system) : row[key]))
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
