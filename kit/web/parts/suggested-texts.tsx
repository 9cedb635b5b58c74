import { useSay, type LocalizedText } from '#kit/web/language.tsx'

type Props = { words: readonly LocalizedText[]; value: string; onChoose: (text: string) => void; disabled?: boolean }

/** What is written most, each at a touch; whoever means something else writes it. */
export function UsualWords({ words, value, onChoose, disabled }: Props) {
  const say = useSay()
  return (
    <div className="kit-usual">
      {words.map((one) => (
        <button
          key={one.en}
          type="button"
          disabled={disabled}
          aria-pressed={value === say(one)}
          onClick={() => onChoose(say(one))}
        >
          {say(one)}
        </button>
      ))}
    </div>
  )
}
