"""Two sessions outside application code: a cluster's operation, and a data analysis in Japanese."""

from tests.recall.session import Session

CLUSTER = Session(
    "en",
    [
        ("prompt", ("The staging cluster runs out of disk every few days. Find the cause. Staging "
                   "only; anything in the prod workspace is off limits for you. INC-2207")),
        ("run", "kubectl -n logging get pvc", "loki-data  Bound  50Gi"),
        ("read", "terraform/staging/logging.tf"),
        ("say", ("What fills the disk is Loki: retention is configured but the compactor is disabled, "
                "so old chunks are never deleted.")),
        ("prompt", "makes sense, go ahead"),
        ("edit", "terraform/staging/logging.tf"),
        ("fail", "terraform plan -out=staging.plan",
         "Acquiring state lock. This may take a few moments...\n" + "data.aws_iam_policy: Reading...\n" * 40 +
         'Error: Unsupported argument\n\n  on logging.tf line 44, in module "loki":\n'
         '  44:   compactor_enabled = true\n\nAn argument named "compactor_enabled" is not expected here.'),
        ("edit", "terraform/modules/loki/variables.tf"),
        ("edit", "terraform/modules/loki/main.tf"),
        ("run", "terraform plan -out=staging.plan", "Plan: 0 to add, 2 to change, 0 to destroy."),
        ("ask", "How long should staging keep its logs?", ["3 days", "7 days", "30 days"], "7 days"),
        ("refuse", "wait. don't apply during office hours, people are testing. Prepare it, I apply tonight"),
        ("prompt", "also the alert should fire at 70 % instead of 90, we noticed too late last time"),
        ("edit", "alerts/disk.yaml"),
        ("run", "promtool check rules alerts/disk.yaml", "SUCCESS: 4 rules found"),
        ("fail", "ansible-playbook -i staging site.yml --check",
         "TASK [common : install node_exporter] ****\n" + "ok: [host]\n" * 30 +
         'fatal: [stg-worker-3]: UNREACHABLE! => {"msg": "Failed to connect to the host via ssh: '
         'Connection timed out"}'),
        ("say", ("stg-worker-3 was drained last week and its address was given away; I leave it out "
                "of the inventory rather than wait for it. Disk use was 46.8 GiB of 50 GiB.")),
        ("run", "git push origin fix/loki-retention", "remote: https://git.corp.test/infra/merge/559"),
        ("prompt", "k"),
        ("prompt", "next: write the runbook page, addressed to people on call who never saw Loki"),
        ("run", "mkdocs build --strict", "INFO - Documentation built"),
        ("prompt", "yes"),
    ],
    "## Summary\nThe user asked why the staging cluster runs out of disk. The Loki module was changed "
    "in terraform/modules/loki/main.tf so that retention works. Next step: write the runbook page.",
    [
        ("constraint", "words", "anything in the prod workspace is off limits for you"),
        ("request", "words", "the alert should fire at 70 % instead of 90, we noticed too late last time"),
        ("request", "words", "runbook page, addressed to people on call who never saw Loki"),
        ("refusal", "words", "don't apply during office hours, people are testing. Prepare it, I apply tonight"),
        ("decision", "words", "retention is configured but the compactor is disabled, so old chunks are never deleted"),
        ("decision", "words", "leave it out of the inventory rather than wait for it"),
        ("choice", "words", "How long should staging keep its logs? 7 days"),
        ("file", "path", "terraform/staging/logging.tf"),
        ("file", "path", "terraform/modules/loki/variables.tf"),
        ("file", "path", "alerts/disk.yaml"),
        ("error", "words", "fatal: stg-worker-3 UNREACHABLE Failed to connect to the host via ssh"),
        ("fix", "pair", ["Unsupported argument", "variables.tf"]),
        ("command", "command", "kubectl -n logging get pvc"),
        ("command", "command", "terraform plan -out=staging.plan"),
        ("command", "command", "promtool check rules alerts/disk.yaml"),
        ("command", "command", "mkdocs build --strict"),
        ("id", "token", "INC-2207"),
        ("id", "token", "https://git.corp.test/infra/merge/559"),
        ("number", "words", "46.8 GiB of 50 GiB"),
    ],
)  # fmt: skip

ANALYSIS = Session(
    "ja",
    [
        ("prompt", "解約率が四月から上がった理由を調べたいです。個人を特定できる列は出力に含めないでください。課題番号は DATA-519。"),
        ("read", "sql/churn_monthly.sql"),
        ("run", "duckdb warehouse.db < sql/churn_monthly.sql", "12 rows"),
        ("say", "四月の上昇は集計側の問題でした。無料期間の利用者が分母から外れたことが原因です。"),
        ("edit", "sql/churn_monthly.sql"),
        ("fail", "Rscript analysis/churn.R",
         "Loading required package: dplyr\n" + "Joining with `by = join_by(id)`\n" * 50 +
         "Error in `left_join()`:\n! Join columns in `y` must be present in the data.\n"
         "✖ Problem with `plan_id`.\nExecution halted"),
        ("edit", "analysis/prepare.R"),
        ("run", "Rscript analysis/churn.R", "saved out/churn.png"),
        ("prompt", "いいですね"),
        ("refuse", "それは違います。平均ではなく中央値で比べてください"),
        ("ask", "比較の単位はどれにしますか?", ["週", "月", "四半期"], "四半期"),
        ("prompt", "お願いします"),
        ("say", "外れ値が多いので、平均をやめて中央値にしました。対象は 8,412 件です。"),
        ("prompt", "図の色は社内の配色表に合わせてください。凡例は英語のままで構いません。"),
        ("edit", "analysis/theme.R"),
        ("run", "quarto render report.qmd", "Output created: report.html"),
        ("run", "git commit -am '分母を直す'", "[main d41c07e] 分母を直す"),
        ("prompt", "次に、経営会議向けの一枚の要約を作ってください"),
        ("prompt", "はい"),
    ],
    "依頼: 解約率が四月から上がった理由の調査。\n変更したファイル: sql/churn_monthly.sql。\n次: 要約の作成。",
    [
        ("constraint", "words", "個人を特定できる列は出力に含めないでください"),
        ("constraint", "words", "図の色は社内の配色表に合わせてください"),
        ("request", "words", "経営会議向けの一枚の要約を作ってください"),
        ("refusal", "words", "平均ではなく中央値で比べてください"),
        ("decision", "words", "無料期間の利用者が分母から外れたことが原因です"),
        ("decision", "words", "外れ値が多いので、平均をやめて中央値にしました"),
        ("choice", "words", "比較の単位はどれにしますか? 四半期"),
        ("file", "path", "analysis/prepare.R"),
        ("file", "path", "analysis/theme.R"),
        ("error", "words", "Join columns in y must be present in the data"),
        ("fix", "pair", ["Join columns in y must be present in the data", "prepare.R"]),
        ("command", "command", "duckdb warehouse.db < sql/churn_monthly.sql"),
        ("command", "command", "Rscript analysis/churn.R"),
        ("command", "command", "quarto render report.qmd"),
        ("id", "token", "DATA-519"),
        ("id", "token", "d41c07e"),
        ("number", "words", "8,412 件"),
    ],
)  # fmt: skip
