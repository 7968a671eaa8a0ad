// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {FinancingVault} from "../FinancingVault.sol";
import {IReceiptCallback, ITransferCallback} from "./CallbackToken.sol";

/// @notice A provider that redeems the shares it already has while its next deposit is under way, or the rest of them
/// while it receives the assets of the first ones.
contract ReentrantProvider is ITransferCallback, IReceiptCallback {
    FinancingVault private immutable _vault;
    uint256 private _sharesToRedeem;
    uint256 private _sharesToRedeemNext;

    constructor(FinancingVault vault) {
        _vault = vault;
        IERC20(vault.asset()).approve(address(vault), type(uint256).max);
    }

    function deposit(uint256 assets) external {
        _vault.deposit(assets, address(this));
    }

    function depositAndRedeemMeanwhile(uint256 assets) external {
        _sharesToRedeem = _vault.balanceOf(address(this));
        _vault.deposit(assets, address(this));
    }

    function redeemEverything() external {
        _vault.redeem(_vault.balanceOf(address(this)), address(this), address(this));
    }

    function redeemRestMeanwhile(uint256 shares) external {
        _sharesToRedeemNext = _vault.balanceOf(address(this)) - shares;
        _vault.redeem(shares, address(this), address(this));
    }

    function afterReceipt() external {
        uint256 shares = _sharesToRedeemNext;
        if (shares == 0) return;
        _sharesToRedeemNext = 0;
        _vault.redeem(shares, address(this), address(this));
    }

    function beforeTransfer() external {
        uint256 shares = _sharesToRedeem;
        if (shares == 0) return;
        _sharesToRedeem = 0;
        _vault.redeem(shares, address(this), address(this));
    }
}
