import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '#kit/web/theme/icon.tsx'
import { searchMenuPages, type SidebarEntry } from '#kit/web/base/menus.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useShellTranslation } from '../words/index.ts'
import { appPathOfMenu } from './directory.ts'

/** Dialog that finds pages by the beginning of their name; arrows select, Enter opens, Esc closes. */
export function PageSearch({ onClose }: { onClose: () => void }) {
  const t = useShellTranslation()
  const { text, type, found, at, setAt, open, move } = useFound(onClose)
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at])

  return (
    <dialog
      ref={box}
      className="search"
      aria-label={t('search')}
      onClose={onClose}
      onClick={(event) => event.target === box.current && onClose()}
    >
      <div className="search-box">
        <Icon name="search" />
        <input
          autoFocus
          value={text}
          placeholder={t('search.hint')}
          aria-label={t('search.hint')}
          role="combobox"
          aria-expanded="true"
          aria-controls="search-list"
          aria-activedescendant={found.length ? `search-${at}` : undefined}
          autoComplete="off"
          onKeyDown={move}
          onChange={(event) => type(event.target.value)}
        />
        <kbd>Esc</kbd>
      </div>
      <ul id="search-list" role="listbox" aria-label={t('menu')}>
        {found.map(({ menu, trail }, index) => (
          <li
            key={menu.id}
            id={`search-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            onClick={() => open(menu)}
          >
            <Icon name={menu.icon} fallback="file-text" />
            <span>{menu.name}</span>
            <small>{trail.slice(0, -1).join(' / ')}</small>
          </li>
        ))}
      </ul>
      {!found.length && <None text={text} />}
      <Keys />
    </dialog>
  )
}

function useFound(onClose: () => void) {
  const navigate = useNavigate()
  const menus = useSession((session) => session.menuAll)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = useMemo(() => searchMenuPages(menus, text), [menus, text])
  function open(menu: SidebarEntry) {
    onClose()
    if (menu.external) window.open(menu.path, '_blank', 'noopener')
    else void navigate(appPathOfMenu(menu))
  }
  function move(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((current) => (current + step + found.length) % Math.max(1, found.length))
    }
    const chosen = found[at]
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && chosen) open(chosen.menu)
  }
  const type = (next: string) => {
    setText(next)
    setAt(0)
  }
  return { text, type, found, at, setAt, open, move }
}

function Keys() {
  const t = useShellTranslation()
  return (
    <footer>
      <kbd>↑</kbd>
      <kbd>↓</kbd> {t('search.move')}
      <kbd>↵</kbd> {t('search.open')}
    </footer>
  )
}

function None({ text }: { text: string }) {
  const t = useShellTranslation()
  return (
    <p className="search-none" role="status">
      {t('search.none', { text })}
    </p>
  )
}
