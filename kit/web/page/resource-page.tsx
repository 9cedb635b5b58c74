import { PhoneAddButton, PhoneListHead } from '../list/phone-head.tsx'
import { useScreenSize } from '../base/screen.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { CellOverrides } from '../row/field-cell.tsx'
import type { InputOverrides } from '../form/edit-form.tsx'
import type { WireRowOrUntyped } from '../row/form-values.ts'
import {
  ListFilterChips,
  ListFilters,
  ListPageHead,
  ListPagePanel,
  ListStaleNotice,
  ListTable,
  ListTitle,
} from '../list/list-parts.tsx'
import { ListProvider } from '../list/list-frame.tsx'
import { SelectionBar } from '../list/list-toolbar.tsx'
import { definePageParts, type PagePartsOf } from '../list/page-parts.ts'
import '../base/kit.css'

export type { PageParts, PagePartsOf } from '../list/page-parts.ts'

/** Page of a resource, generated from its declaration: title, filters, buttons, rows, form and detail. */
export function ResourcePage<
  R extends Resource<any, any>,
  C extends CellOverrides<WireRowOrUntyped<R>> = Record<never, never>,
  I extends InputOverrides = Record<never, never>,
>(props: { resource: R; page?: PagePartsOf<R, C, I> }) {
  const { resource } = props
  const page = props.page && definePageParts(resource, props.page)
  const isPhone = useScreenSize() === 0
  return (
    <ListProvider resource={resource} page={props.page}>
      <div className={page?.embedded ? 'kit-page kit-page-embedded' : 'kit-page'}>
        {isPhone ? <PhoneListHead /> : !page?.embedded && <ListTitle />}
        <div className={page?.panel ? 'kit-with-panel' : undefined}>
          {page?.panel && <ListPagePanel />}
          <section className="kit-list">
            {!isPhone && (
              <>
                <ListFilters />
                <ListFilterChips />
                <ListPageHead />
              </>
            )}
            <ListStaleNotice />
            <ListTable />
            <SelectionBar />
            {isPhone && !page?.embedded && <PhoneAddButton />}
          </section>
        </div>
      </div>
    </ListProvider>
  )
}
