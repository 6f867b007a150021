/**
 * The command `bytejson completions`: scripts that make a shell complete the program's command
 * lines, made from the same data as the help screens.
 */

import { type Arguments, UsageError } from "../arguments.ts";
import { type Command, COMMANDS, DEFAULT_COMMAND, type Flag, flagsOf, SHELLS } from "../commands.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { writeStdout } from "../terminal/streams.ts";

/** Makers of the scripts. */
export const SCRIPTS: Record<typeof SHELLS[number], () => string> = { bash, zsh, fish, powershell };

/** Flag that takes the place of a command. */
const VERSION: Flag = { name: "version", short: "V", help: "show the version" };

export function run(args: Arguments): Promise<number> {
  const [word, ...more] = args.operands;
  const shell = SHELLS.find((known) => known === word);
  if (more.length > 0 || shell === undefined) {
    const unknown = more.length > 0 || word === undefined ? undefined : { word, known: SHELLS };
    throw new UsageError(`name one shell: ${SHELLS.join(", ")}`, unknown);
  }
  writeStdout(SCRIPTS[shell]());
  return Promise.resolve(EXIT.valid);
}

function spellings({ name, short }: Flag): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

function namesOf(commands: readonly Command[]): string {
  return commands.map(({ name }) => name).join(" ");
}

function bash(): string {
  const values = COMMANDS.flatMap((command) =>
    flagsOf(command).filter(({ value }) => value).map((flag) => {
      const patterns = spellings(flag).map((spelling) => `"${command.name} ${spelling}"`).join(" | ");
      const words = flag.choices?.join(" ") ?? "";
      // Completes the last word of a list, and keeps the words before it.
      const list = flag.isList ? '; [[ $cur == *,* ]] && prefix="${cur%,*},"' : "";
      return `    ${patterns}) words="${words}"${list} ;;`;
    })
  );
  const operands = COMMANDS.map((command) => {
    const options = flagsOf(command).flatMap(spellings).join(" ");
    return `    ${command.name}) options="${options}" words="${command.operandChoices?.join(" ") ?? ""}" ;;`;
  });
  return `\
# bash completion of ${PROGRAM}; completes files if it has nothing to offer
_${PROGRAM}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command=${DEFAULT_COMMAND.name}
  local words="" options="" prefix="" word
  COMPREPLY=()
  # bash makes '=' a word of its own
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in ${namesOf(COMMANDS)}; do
    if (( COMP_CWORD > 1 )) && [[ \${COMP_WORDS[1]} == "$word" ]]; then command=$word; fi
  done
  case "$command $prev" in
${values.join("\n")}
    *)
      case $command in
${operands.map((line) => `    ${line}`).join("\n")}
      esac
      if (( COMP_CWORD == 1 )); then words="${namesOf(COMMANDS)}" options+=" ${spellings(VERSION).join(" ")}"; fi
      if [[ $cur == -* ]]; then words=$options; fi
      ;;
  esac
  while IFS= read -r word; do COMPREPLY+=("$prefix$word"); done < <(compgen -W "$words" -- "\${cur#"$prefix"}")
}
complete -o bashdefault -o default -F _${PROGRAM} ${PROGRAM}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function zsh(): string {
  const option = (flag: Flag): string => {
    const description = `[${flag.help.replace(/[\[\]:\\]/g, "\\$&")}]`;
    const action = flag.isFile
      ? "_files"
      : flag.choices && flag.isList
      ? `_values -s , ${flag.value} ${flag.choices.join(" ")}`
      : flag.choices
      ? `(${flag.choices.join(" ")})`
      : " ";
    const value = flag.value ? `:${flag.value}:${action}` : "";
    const [long, short] = spellings(flag);
    const many = flag.isRepeatable ? "*" : "";
    if (short === undefined) return quoted(`${many}${long}${flag.value ? "=" : ""}${description}${value}`);
    const spelled = `{${short}${flag.value ? "+" : ""},${long}${flag.value ? "=" : ""}}`;
    return `${quoted(`(${short} ${long})`)}${spelled}${quoted(description + value)}`;
  };
  const operand = ({ operandChoices, text }: Command): string[] => {
    if (operandChoices === undefined) return [...text ? [quoted(`1:${text}: `)] : [], quoted("*:file:_files")];
    return operandChoices.length > 0 ? [quoted(`1:word:(${operandChoices.join(" ")})`)] : [];
  };
  const cases = COMMANDS.map((command) =>
    [
      `    ${command.name})`,
      `      _arguments -s -S ${[...flagsOf(command).map(option), ...operand(command)].join(" \\\n        ")}`,
      "      ;;",
    ].join("\n")
  );
  const commands = COMMANDS.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  return `\
#compdef ${PROGRAM}
_${PROGRAM}() {
  local command=${DEFAULT_COMMAND.name}
  local -a commands=(
${commands.join("\n")}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    _files
    return
  fi
  case $words[2] in
    ${COMMANDS.map(({ name }) => name).join(" | ")})
      command=$words[2]
      shift words
      (( CURRENT-- ))
      ;;
  esac
  case $command in
${cases.join("\n")}
  esac
}
# Works sourced, and autoloaded from a directory of fpath.
if [[ $funcstack[1] == _${PROGRAM} ]]; then
  _${PROGRAM} "$@"
else
  compdef _${PROGRAM} ${PROGRAM}
fi
`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

function fish(): string {
  const others = COMMANDS.filter((command) => command !== DEFAULT_COMMAND);
  const unnamed = `not __fish_seen_subcommand_from ${namesOf(COMMANDS)}`;
  const line = (condition: string, ...parts: string[]): string =>
    [`complete -c ${PROGRAM} -n ${fishQuoted(condition)}`, ...parts].join(" ");
  const option = (condition: string, flag: Flag): string => {
    const parts = [`-l ${flag.name}`];
    if (flag.short !== undefined) parts.unshift(`-s ${flag.short}`);
    if (flag.value) parts.push(flag.isFile ? "-r -F" : "-x");
    if (flag.choices) {
      const words = flag.choices.join(" ");
      parts.push(`-a ${fishQuoted(flag.isList ? `(__fish_append , ${words})` : words)}`);
    }
    return line(condition, ...parts, `-d ${fishQuoted(flag.help)}`);
  };
  const forCommand = (command: Command): string[] => {
    const condition = command === DEFAULT_COMMAND
      ? `not __fish_seen_subcommand_from ${namesOf(others)}`
      : `__fish_seen_subcommand_from ${command.name}`;
    const operands = command.operandChoices;
    return [
      ...flagsOf(command).map((flag) => option(condition, flag)),
      ...operands ? [line(condition, `-f${operands.length > 0 ? ` -a ${fishQuoted(operands.join(" "))}` : ""}`)] : [],
    ];
  };
  return [
    `# fish completion of ${PROGRAM}`,
    ...COMMANDS.map(({ name, summary }) => line(unnamed, `-a ${name} -d ${fishQuoted(summary)}`)),
    option(unnamed, VERSION),
    ...COMMANDS.flatMap(forCommand),
    "",
  ].join("\n");
}

function powershellQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function powershell(): string {
  const list = (words: readonly string[]): string => `@(${words.map(powershellQuoted).join(", ")})`;
  const help = (flag: Flag): string[] =>
    spellings(flag).map((spelling) => `    ${powershellQuoted(spelling)} = ${powershellQuoted(flag.help)}`);
  const values = (command: Command): string[] =>
    flagsOf(command).filter(({ choices }) => choices !== undefined).flatMap((flag) =>
      spellings(flag).map((spelling) => `    ${powershellQuoted(spelling)} = ${list(flag.choices!)}`)
    );
  const table = (name: string, rows: (command: Command) => string[]): string =>
    [
      `$${name} = @{`,
      ...COMMANDS.flatMap((command) => {
        const found = rows(command);
        return [`  ${command.name} = ${found.length === 0 ? "@{}" : `@{\n${found.join("\n")}\n  }`}`];
      }),
      "}",
    ].map((line) => `  ${line}`.replaceAll("\n", "\n  ")).join("\n");
  const summaries = COMMANDS.map(({ name, summary }) => `    ${name} = ${powershellQuoted(summary)}`);
  const operands = COMMANDS.map(({ name, operandChoices = [] }) => `    ${name} = ${list(operandChoices)}`);
  // PowerShell completes files where a script offers nothing.
  return `\
# PowerShell completion of ${PROGRAM}
Register-ArgumentCompleter -Native -CommandName ${PROGRAM} -ScriptBlock {
  param($word, $ast, $cursor)
  $summaries = [ordered]@{
${summaries.join("\n")}
  }
${table("options", (command) => flagsOf(command).flatMap(help))}
${table("choices", values)}
  $operands = @{
${operands.join("\n")}
  }
  $before = @($ast.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $command = '${DEFAULT_COMMAND.name}'
  if ($before.Count -gt 0 -and $summaries.Contains($before[0])) { $command = $before[0] }
  $offer = {
    param($text, $tip)
    if ($text -like "$word*") {
      [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $tip)
    }
  }
  if ($before.Count -gt 0 -and $choices[$command].ContainsKey($before[-1])) {
    foreach ($choice in $choices[$command][$before[-1]]) { & $offer $choice $choice }
  } elseif ($word -like '-*') {
    foreach ($option in $options[$command].GetEnumerator() | Sort-Object Name) { & $offer $option.Name $option.Value }
    if ($before.Count -eq 0) { & $offer '--version' ${powershellQuoted(VERSION.help)} }
  } elseif ($before.Count -eq 0) {
    foreach ($entry in $summaries.GetEnumerator()) { & $offer $entry.Name $entry.Value }
  } else {
    foreach ($operand in $operands[$command]) { & $offer $operand $operand }
  }
}
`;
}
