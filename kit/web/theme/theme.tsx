import { App, ConfigProvider } from 'antd'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useEffect, useMemo, type ReactNode } from 'react'
import { create } from 'zustand'
import { createAntdTheme } from './antd-theme.ts'
import { mixColours } from './colour.ts'
import { useLanguage } from '../base/language.tsx'
import { webSettings } from '../base/settings.ts'
import { useScreenSize } from '../base/screen.ts'
import { setStoredValue, getStoredValue } from '../base/storage.ts'
import { cssBackgroundOf, paletteOfTheme, themeNames, type ThemePalette, type ThemeName } from './themes.ts'
import { setToastHandler } from '../base/toast.ts'
import './touch.css'

export { themeNames, themes } from './themes.ts'

type ThemeChoice = { name: ThemeName; colour: string | undefined }

function storedName(): ThemeName {
  const name = getStoredValue<string>('theme')?.replace(/^theme-/, '') as ThemeName
  return themeNames.includes(name) ? name : (webSettings.defaultTheme as ThemeName)
}

/** The theme and accent colour chosen in this browser. */
export const useThemeStore = create<ThemeChoice>()(() => ({
  name: storedName(),
  colour: getStoredValue<string>('colour'),
}))

export function setTheme(name: ThemeName) {
  setStoredValue('theme', `theme-${name}`)
  useThemeStore.setState({ name })
}

/** Sets the accent colour; undefined restores the theme's own. */
export function setAccentColour(colour: string | undefined) {
  setStoredValue('colour', colour)
  useThemeStore.setState({ colour })
}

/** Returns the colours on screen, also for charts and diagrams. */
export function usePalette(): ThemePalette {
  const { name, colour } = useThemeStore()
  return useMemo(() => paletteOfTheme(name, colour, webSettings.defaultColour), [name, colour])
}

function useCalm() {
  return useMemo(() => matchMedia('(prefers-reduced-motion: reduce)').matches, [])
}

function paintDocument(colours: ThemePalette, name: ThemeName) {
  const root = document.documentElement
  const { frame } = colours
  const values: Record<string, string> = {
    page: colours.page,
    card: colours.card,
    raised: colours.raised,
    text: colours.text,
    'text-2': colours.textSecondary,
    'text-3': colours.textTertiary,
    accent: colours.accent,
    'accent-raw': colours.raw,
    'accent-tint': mixColours(colours.card, colours.raw, colours.dark ? 0.18 : 0.1),
    'on-accent': colours.onSolid,
    success: colours.success,
    warning: colours.warning,
    error: colours.error,
    line: mixColours(colours.card, colours.text, colours.dark ? 0.14 : 0.1),
    side: cssBackgroundOf(frame.side),
    'side-text': frame.sideText,
    'side-strong': frame.sideStrong,
    'side-active': cssBackgroundOf(frame.sideActiveBg),
    'side-active-text': frame.sideActiveText,
    'side-line': mixColours(frame.side[0] as string, frame.sideText, 0.16),
    top: cssBackgroundOf(frame.top),
    'top-text': frame.topText,
    'top-line': mixColours(frame.top[0] as string, frame.topText, 0.12),
    'top-hover': mixColours(frame.top[0] as string, frame.topText, 0.09),
    radius: `${colours.radius}px`,
  }
  for (const [key, value] of Object.entries(values)) root.style.setProperty(`--${key}`, value)
  root.dataset.theme = name
  root.dataset.dark = String(colours.dark)
  root.style.colorScheme = colours.dark ? 'dark' : 'light'
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', frame.top[0] as string)
}

/** Renders its children in the chosen theme, colour and language; toasts are shown by antd. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const language = useLanguage()
  const colours = usePalette()
  const name = useThemeStore((look) => look.name)
  const calm = useCalm()
  const isPhone = useScreenSize() === 0
  const config = useMemo(
    () => createAntdTheme(colours, !calm, import.meta.env.VITE_ZERO_RUNTIME === 'true'),
    [colours, calm],
  )
  useEffect(() => paintDocument(colours, name), [colours, name])
  useEffect(() => {
    dayjs.locale(language === 'zh' ? 'zh-cn' : 'en')
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  }, [language])
  return (
    // The size is always set: without it antd renders another component tree, and turning the phone would discard
    // input.
    <ConfigProvider
      theme={config}
      componentSize={isPhone ? 'large' : 'medium'}
      locale={language === 'zh' ? zhCN : enUS}
      wave={{ disabled: true }}
      button={{ autoInsertSpace: false }}
      // A click outside does not close a dialog, which may hold input; dialogs without input allow it themselves.
      modal={{ mask: { closable: false } }}
    >
      <App message={{ maxCount: 3 }} component={false}>
        <ToastBridge />
        {children}
      </App>
    </ConfigProvider>
  )
}

function ToastBridge() {
  const { message } = App.useApp()
  useEffect(() => {
    setToastHandler((kind, text, { key = kind + text, act } = {}) => {
      const go = () => {
        message.destroy(key)
        act?.run()
      }
      void message.open({
        type: kind,
        key,
        content: act ? (
          <>
            {text}{' '}
            <button type="button" className="kit-link" onClick={go}>
              {act.label}
            </button>
          </>
        ) : (
          text
        ),
      })
    })
    return () => setToastHandler(undefined)
  }, [message])
  return null
}
