import { Suspense, type ComponentType } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { isFieldRequired, isWriteOnlyField } from '#kit/fields/kinds.ts'
import { RequiredInputContext } from '#kit/web/base/required.ts'
import { FieldCell, type CellOverrides } from '../row/field-cell.tsx'
import { formFieldEntries, isReadOnlyInForm } from '../row/form-values.ts'
import { groupFields, type FieldGroup } from '../row/groups.ts'
import { useLocalize } from '../base/language.tsx'
import { formInputId, type FormState, type FormLayout } from './use-form.ts'

export type { FormLayout } from './use-form.ts'

/** Inputs a page uses instead of the kinds' own, by field. */
export type InputOverrides = Record<string, ComponentType<InputProps>>

function groupsOf(form: FormState, layout: FormLayout | undefined): FieldGroup[] {
  const { mode } = form
  const shown = formFieldEntries(form.fields).filter(
    ([, field]) =>
      !(mode === 'add' && field.form === 'read') && !(isWriteOnlyField(field) && isReadOnlyInForm(field, mode)),
  )
  if (layout) {
    const named = new Set(layout.flatMap(({ fields }) => fields))
    const rest = shown.filter(([key]) => !named.has(key))
    const groups = layout
      .filter(({ when }) => !when || when(form.values))
      .map(({ title, fields }) => ({ title, entries: fields.flatMap((key) => shown.filter(([name]) => name === key)) }))
    return [...groups, ...groupFields(rest)].filter(({ entries }) => entries.length)
  }
  return groupFields(shown)
}

/** Shows the inputs of a form by group, with labels above and help and errors below. */
export function EditForm({
  form,
  layout,
  inputs,
  cells,
}: {
  form: FormState
  layout?: FormLayout
  inputs?: InputOverrides
  cells?: CellOverrides
}) {
  const t = useLocalize()
  return (
    <div className="kit-form">
      {groupsOf(form, layout).map(({ title, entries }) => (
        <section key={title?.zh ?? entries[0]![0]} className="kit-form-group">
          {title && <h3>{t(title)}</h3>}
          <div className="kit-form-grid">
            {entries.map(([key, field]) => (
              <FormField key={key} form={form} name={key} field={field} inputs={inputs} cells={cells} />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

type FieldProps = { form: FormState; name: string; field: Field; inputs?: InputOverrides; cells?: CellOverrides }

function FormField(props: FieldProps) {
  const { form, name, field } = props
  const t = useLocalize()
  const fixed = isReadOnlyInForm(field, form.mode)
  const error = form.errorOf(name)
  const id = formInputId(form.id, name)
  const isWide = webFieldKindOf(field).wide || field.wide
  const leave = (event: React.FocusEvent) => {
    const inside =
      event.currentTarget.contains(event.relatedTarget) ||
      document.querySelector('.ant-select-dropdown')?.contains(event.relatedTarget)
    if (!inside) setTimeout(() => form.look(name), 120)
  }
  return (
    <div
      className={['kit-field', isWide && 'kit-field-wide', error && 'kit-field-bad'].filter(Boolean).join(' ')}
      onBlur={fixed ? undefined : leave}
    >
      <label htmlFor={fixed ? undefined : id}>
        {t(field.label)}
        {isFieldRequired(field, form.values) && !fixed && (
          <span className="kit-required" aria-hidden>
            {' '}
            *
          </span>
        )}
      </label>
      {fixed ? <FixedField {...props} /> : <FieldInput {...props} id={id} />}
      {field.help && (
        <div id={`${id}-help`} className="kit-help">
          {t(field.help)}
        </div>
      )}
      {error && (
        <div id={`${id}-error`} className="kit-error" role="alert">
          {error}
        </div>
      )}
    </div>
  )
}

function FixedField({ form, name, field, cells }: FieldProps) {
  const row = { ...form.row, ...(name in form.row ? {} : form.values) }
  return (
    <div className="kit-fixed">
      <FieldCell name={name} field={field} row={row} place="detail" cells={cells} />
    </div>
  )
}

function FieldInput({ form, name, field, inputs, id }: FieldProps & { id: string }) {
  const error = form.errorOf(name)
  const described = [field.help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const Input = inputs?.[name] ?? webFieldKindOf(field).Input
  return (
    <Suspense fallback={<div className="kit-skeleton kit-skeleton-input" />}>
      <RequiredInputContext value={isFieldRequired(field, form.values)}>
        <Input
          name={name}
          field={field}
          value={form.values[name]}
          onChange={(value) => form.set(name, value)}
          values={{ ...form.row, ...form.values }}
          fill={form.put}
          id={id}
          disabled={false}
          invalid={!!error}
          describedBy={described}
        />
      </RequiredInputContext>
    </Suspense>
  )
}
